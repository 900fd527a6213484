import { FIRED, TRIGGERS } from '../../src/resources/trigger.js'
import { code, page, table } from './markdown.js'

/** Page of all triggers and the operations that fire them. It comes from the table against which tests check events. */
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
