"""
The service where frameworks want a store, a session or a tool: a module for each. A module needs its framework, which the extra
of the same name installs: `pip install "memory-service-sdk[langchain]"`.
"""
