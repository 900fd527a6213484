import { adminOperation } from '../../schema/admin-operation.js'
import { integer, oneOf, rows, text } from '../../schema/field.js'

/** Largest number of findings in an answer; `found` counts all of them. */
export const MAX_FINDINGS = 1_000

export const verifyOperation = adminOperation({
  name: 'verify',
  method: 'GET',
  path: 'admin/verify',
  summary: 'prove from the database alone that every rule of money holds',
  moves: 'nothing',
  least: 'viewer',
  input: {
    head: text({
      max: 1_000,
      doc: 'a signed head that was kept elsewhere, as it was published; the books must contain its commit',
    }),
    only: oneOf(['rules', 'books'], {
      doc: 'one part of the proof: the rules of money, or the sealed books; both unless given',
    }),
  },
  object: 'verification',
  output: {
    examined: integer({ doc: 'how many transactions, invoices and billing charges were looked at' }),
    found: integer({ doc: 'how many rules are broken' }),
    findings: rows(
      {
        check: text({ doc: 'the rule' }),
        id: text({ doc: 'the object that breaks it' }),
        problem: text({ doc: 'how; amounts in minor units' }),
      },
      { doc: 'the first thousand violations' },
    ),
  },
})
