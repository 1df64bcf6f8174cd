import { mendJsonParse } from '@memory/shared/platform/json-parse'

// As every process of the service does when it starts.
mendJsonParse()
