"""What the tests of other projects take the service for: a vector store of LangChain, a store of LangGraph."""
