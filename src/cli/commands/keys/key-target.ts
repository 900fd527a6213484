import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { WizardCommand } from '../../terminal/wizard/wizard-guide.js'

export const KEYS = `/${resources.api_key.plural}`

export const keyShape = shapeOf(registry, resources.api_key)

export const keyArgument = string({
  description: 'id of the key; chosen from a list at a terminal unless given',
})

export function keyPath(id: string): string {
  return itemPath(resources.api_key.plural, id)
}

/** Base of commands that end a key. If no key is named, the operator chooses one from a list. */
export abstract class KeyCommand extends WizardCommand {
  protected async keyFor(
    flags: Choices,
    named: string | undefined,
    change: 'revoke' | 'replace',
  ): Promise<string> {
    if (named) return named
    const verb = change === 'revoke' ? 'revoke' : 'rotate'
    return await this.chosen(
      flags,
      async (questions) => (await import('../wizards/key-to-end.js')).keyToEnd(questions, change),
      `Which key? payctl keys ${verb} key_0V8c…; payctl keys list shows them`,
    )
  }
}
