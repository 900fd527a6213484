import { resolve } from 'node:path'
import { string } from '@oclif/core/flags'

/** Flags for the files of published heads of the sealed books, for commands that publish or compare heads. */
export const headFlags = {
  'head-file': string({
    env: 'PAYCTL_HEAD_FILE',
    summary: 'file elsewhere for signed heads of the sealed books; .test or .live is added to its name',
    helpValue: '<file>',
  }),
  'head-command': string({
    env: 'PAYCTL_HEAD_COMMAND',
    summary: 'command that reads each signed head from its standard input',
    helpValue: '<command>',
  }),
}

export function headPlaces(flags: {
  readonly 'head-file': string | undefined
  readonly 'head-command': string | undefined
}) {
  const file = flags['head-file']
  return { file: file === undefined ? undefined : resolve(file), command: flags['head-command'] }
}
