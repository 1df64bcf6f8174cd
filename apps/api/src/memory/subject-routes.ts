import { issueSubjectToken } from '@memory/identity/subjects/subject-callers'
import { IssueSubjectToken } from '@memory/identity/tokens/subject-token-schema'
import * as schema from '@memory/memory/subjects/schema'
import { eraseSubject, exportSubject, getSubject, listSubjects } from '@memory/memory/subjects/service'
import { Download } from '../http/download.ts'
import { endpoint } from '../http/endpoint.ts'

export const subjectRoutes = [
  endpoint(schema.ListSubjects, ({ context, caller, query }) => listSubjects(context.memory, caller, query)),
  endpoint(schema.GetSubject, ({ context, caller, params }) =>
    getSubject(context.memory, caller, params.subject),
  ),
  endpoint(schema.ExportSubject, async ({ context, caller, params, query }) => {
    const lines = await exportSubject(context.memory, caller, params.subject, query)
    return new Download('application/x-ndjson', 'patterns.ndjson', undefined, lines)
  }),
  endpoint(schema.EraseSubject, ({ context, caller, params, record }) =>
    eraseSubject(context.memory, caller, params.subject, record),
  ),
  endpoint(IssueSubjectToken, ({ context, caller, body }) =>
    issueSubjectToken(context.callers, caller, body),
  ),
]
