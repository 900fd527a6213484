import { datetime, json, money, oneOf, ref, text } from '../schema/field.js'
import { MONEY_VERBS } from '../schema/moves.js'
import { resource } from '../schema/resource.js'
import { RECORD } from '../schema/seal-rule.js'

/** Log of changes: a line for each unit of work that changed objects. Beyond the spec. */
export const activity = resource({
  name: 'activity',
  plural: 'admin/activity',
  prefix: 'actv_',
  summary: 'Log of changes: a line for every write, with who made it and how. Lines are never deleted.',
  fields: {
    by: oneOf(['operator', 'key', 'client', 'payer', 'system'], {
      readonly: true,
      doc: 'kind of the actor',
    }),
    by_id: text({
      readonly: true,
      doc: 'id of the actor: operator (or `owner`), key, link or job; the key if an operator used a token',
    }),
    operator_id: ref('operator', { readonly: true, doc: 'the operator, if one with a name did it' }),
    through: oneOf(['terminal', 'http', 'console', 'page', 'job'], {
      readonly: true,
      doc: 'interface through which it was done',
    }),
    request_id: text({ readonly: true, doc: 'id of the request in the log of the service' }),
    action: text({ readonly: true, doc: 'what was done, as `create transaction` or `capture transaction`' }),
    verb: oneOf(MONEY_VERBS, { readonly: true, doc: 'kind of money movement; null if it moved no money' }),
    amount: money({ readonly: true, doc: 'how much money it moved' }),
    object_id: text({ readonly: true, doc: 'the object that it was done to' }),
    others: json({ readonly: true, doc: 'list of the ids of other objects that were changed with it' }),
    processing_id: ref('processing_account', {
      readonly: true,
      doc: 'the processing account that it concerned',
    }),
    reason: text({ readonly: true, doc: 'the reason that was given' }),
    outcome: text({ readonly: true, doc: 'the status of the object afterwards, or `deleted`' }),
    changed: json({
      readonly: true,
      doc: 'list of the names of attributes that changed; those of other objects after their ids, as `txn_….status`',
    }),
    before: json({
      readonly: true,
      doc: 'amounts, states, references and rights before the change, by the names in changed',
    }),
    after: json({ readonly: true, doc: 'amounts, states, references and rights after the change' }),
    real_at: datetime({ readonly: true, doc: 'real time of the change, if the clock of test was moved' }),
  },
  ownership: [{ kind: 'names', column: 'processing_id' }],
  moves: 'nothing',
  least: 'owner',
  seals: RECORD,
  unlogged: 'Lines of activity have no lines of their own',
  refuses: {
    POST: 'The service writes the lines of activity',
    PUT: 'Lines of activity never change',
    DELETE: 'Lines of activity are kept for good',
  },
  admin: true,
  columns: ['created_at', 'by_id', 'through', 'action', 'amount', 'object_id', 'outcome'],
  indexes: [['object_id'], ['operator_id', 'created_at']],
})
