import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, integer, oneOf, rows, text } from '../../schema/field.js'

export const readStatusOperation = adminOperation({
  name: 'read_status',
  method: 'GET',
  path: 'admin/status',
  summary: 'show what needs attention today',
  moves: 'nothing',
  least: 'viewer',
  input: {},
  object: 'status',
  output: {
    now: datetime({ doc: "the environment's time (UTC)" }),
    attention: integer({ doc: 'how many of the lines need attention' }),
    lines: rows(
      {
        check: text({ doc: 'name of the check' }),
        state: oneOf(['failed', 'warning', 'note'], { doc: 'a note only reports work in progress' }),
        found: text({ doc: 'what was found' }),
        command: text({ doc: 'the command that shows more' }),
      },
      { doc: 'what needs attention, and what is in progress' },
    ),
  },
})
