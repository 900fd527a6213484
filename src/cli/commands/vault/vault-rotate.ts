import { boolean, string } from '@oclif/core/flags'
import { systemClock } from '../../../platform/clock.js'
import { systemRandom } from '../../../platform/random.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { confirmByName } from '../../terminal/command/confirm-live.js'
import { shapeless } from '../../terminal/input/shape.js'
import { OWNER_OF_HOME } from '../../terminal/local/local-rights.js'

export class VaultRotate extends PayctlCommand {
  static override summary =
    'create new keys for card and account numbers, and encrypt all numbers anew while serve runs'
  static override description =
    'After an interruption, the next run continues. Older keys stay in the key file for backups until vault forget.'
  static readonly rights = OWNER_OF_HOME
  static override usage = 'vault rotate [--prepare] [--confirm <key>]'
  static override examples = ['payctl vault rotate', 'payctl vault export /elsewhere/payctl-2.keys']
  static override flags = {
    prepare: boolean({
      summary: 'only make the keys: copy the key file to every other machine, then run this again without it',
    }),
    confirm: string({
      summary: 'id of the current key, which is replaced: needed without a terminal',
      helpValue: '<key>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(VaultRotate)
    const { keyToReplace, rotateKeys } = await import('../../../installation/rotate-keys.js')
    const { home, databaseUrl } = await this.localSettings(VaultRotate.rights)
    const current = keyToReplace(home.value)
    // An interrupted rotation continues without a prompt, because it was confirmed when it began.
    if (current !== undefined) {
      const what = `Replacing the key ${current} of both environments`
      await confirmByName(what, [current], flags, this.prompts(flags))
    }
    const { key, retired, resealed, resumed } = await rotateKeys({
      home: home.value,
      databaseUrl: databaseUrl?.value,
      random: systemRandom,
      clock: systemClock,
      prepareOnly: flags.prepare,
    })
    await this.print(flags, { key, resealed, resumed, retired: [...retired] }, shapeless)
    this.say(
      flags,
      flags.prepare
        ? 'Copy the key file to every machine that serves this database, then run payctl vault rotate.'
        : 'Export the keys anew with payctl vault export: earlier exports lack this one.',
    )
  }
}
