import { adminOperation } from '../../schema/admin-operation.js'
import { datetime, integer, oneOf, rows } from '../../schema/field.js'
import { TRIGGERS } from '../trigger.js'

/** Queues whose length is counted. */
export const QUEUES = ['webhooks', 'mail', 'gateway_notifications', 'outcomes', 'exceptions'] as const

export const readCountsOperation = adminOperation({
  name: 'read_counts',
  method: 'GET',
  path: 'admin/counts',
  summary: 'count events by trigger, and waiting work by queue; the metrics show both',
  moves: 'nothing',
  least: 'viewer',
  input: {
    since: datetime({
      doc: 'start of the events to count (UTC, real time): the until of the previous answer; no events are counted unless given',
    }),
  },
  object: 'counts',
  output: {
    until: datetime({
      doc: 'end of the events counted (UTC): ten seconds ago, so that all of them are committed',
    }),
    events: rows(
      {
        trigger: oneOf(TRIGGERS, { doc: 'trigger of the events' }),
        count: integer({ doc: 'number of its events' }),
      },
      { doc: 'every trigger' },
    ),
    waiting: rows(
      {
        queue: oneOf(QUEUES, {
          doc: 'deliveries to webhooks, mails, notifications of gateways, unknown outcomes, or open exceptions',
        }),
        count: integer({ doc: 'number that wait' }),
      },
      { doc: 'every queue' },
    ),
    commits: integer({ doc: 'number of the last sealed commit of the books' }),
  },
})
