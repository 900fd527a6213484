import { FIRED, TRIGGERS } from '../../src/resources/trigger.js'
import { code, page, table } from './markdown.js'

/** Page of triggers with the operations that fire them, from the table against which events are checked. */
export function triggersPage(): string {
  return page(
    '# Triggers',
    `What fires each trigger, and on which object; \`triggered_on.value\` is the status that the object had then. How
webhooks are told is on [a page of its own](../webhooks.md).`,
    table(
      ['trigger', 'fired when', 'object'],
      TRIGGERS.map((trigger) => [code(trigger), FIRED[trigger].when, code(FIRED[trigger].object)]),
    ),
  )
}
