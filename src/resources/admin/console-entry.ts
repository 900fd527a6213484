import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, email, text } from '../../schema/field.js'

/**
 * One-time code to enter the console. Only owners of the whole environment may create one for another
 * operator.
 */
export const createConsoleEntryOperation = adminOperation({
  name: 'create_console_entry',
  method: 'POST',
  path: 'admin/console_entries',
  summary: 'make a code with which an operator enters the console, once and within two minutes',
  moves: 'nothing',
  least: 'viewer',
  isScoped: true,
  input: {
    email: email({ doc: 'the operator who enters; unless given, the one who makes the code' }),
  },
  object: 'console_entry',
  output: {
    code: text({ doc: 'opens /console/enter/{code}; shown once' }),
    email: email({ doc: 'the operator whom the code signs in' }),
    expires_at: datetime({ doc: 'when the code expires (UTC)' }),
  },
  example: { email: 'grace@example.com' },
})
