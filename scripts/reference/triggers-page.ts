import { FIRED, TRIGGERS } from '../../src/resources/trigger.js'
import { code, page, table } from './markdown.js'

/** Page of all triggers and the operations that fire them. It comes from the table against which tests check events. */
export function triggersPage(): string {
  return page(
    '# Triggers',
    `The operation that fires each trigger, and the object that the event names. \`triggered_on.value\` is the status of that object
at the time of the event. [Webhooks](../webhooks.md) says how events are delivered.`,
    table(
      ['trigger', 'fired when', 'object'],
      TRIGGERS.map((trigger) => [code(trigger), FIRED[trigger].when, code(FIRED[trigger].object)]),
    ),
  )
}
