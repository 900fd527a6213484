import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, integer, oneOf, ref, rows, text } from '../../schema/field.js'
import { TRIGGERS } from '../trigger.js'

export const readEventsOperation = adminOperation({
  name: 'read_events',
  method: 'GET',
  path: 'admin/events',
  summary: 'list events, whether or not a webhook got them: the newest, or those after an event',
  moves: 'nothing',
  least: 'viewer',
  input: {
    after: text({
      max: 50,
      doc: 'the id of an event, or the next of an answer: only events after it; the newest events unless given',
    }),
    trigger: oneOf(TRIGGERS, { doc: 'only events with this trigger' }),
    limit: integer({ min: 1, max: 1_000, doc: 'how many at most; 100 unless given' }),
  },
  object: 'events',
  output: {
    events: rows(
      {
        id: text({ doc: 'the event' }),
        trigger: text({ doc: 'its trigger' }),
        triggered_at: datetime({ doc: 'when (UTC)' }),
        triggered_on_id: text({ doc: 'the object' }),
        triggered_on_object: text({ doc: 'its object name' }),
        triggered_on_value: text({ doc: 'the status that it had then' }),
        processing_id: ref('processing_account', { doc: 'the processing account that it concerns' }),
        by: text({ doc: 'who did it: the id of a key, or the operator' }),
      },
      { doc: 'in the order in which they happened' },
    ),
    next: text({
      doc: 'value of after for the next request, which also returns events that were committed late; some may be returned again',
    }),
  },
})

export const replayEventsOperation = adminOperation({
  name: 'replay_events',
  method: 'POST',
  path: 'admin/webhooks/replay',
  summary: 'send events to webhooks again: the same ids and bodies, freshly signed',
  moves: 'nothing',
  least: 'cashier',
  input: {
    event_id: text({ max: 50, doc: 'this event, to all webhooks that may get it' }),
    log_id: text({ max: 50, doc: 'instead: the event of this attempt, to the same webhook' }),
    since: datetime({ doc: 'instead: all events since this time (UTC)' }),
    webhook_id: ref('webhook', { doc: 'to this webhook only, including events from before it was created' }),
  },
  object: 'replay',
  output: { deliveries: integer({ doc: 'how many will be made; serve, or webhooks deliver, sends them' }) },
  example: { since: '2030-01-31 00:00:00' },
})
