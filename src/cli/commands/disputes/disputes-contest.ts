import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { string } from '@oclif/core/flags'
import { writeDataUrl } from '../../../schema/data-url.js'
import { MAX_EVIDENCE } from '../../../schema/evidence.js'
import type { JsonObject } from '../../../schema/json.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { AnswerCommand, disputeArgument } from './answer-command.js'

export class DisputesContest extends AnswerCommand {
  static override summary = 'submit evidence against a dispute; that can be done once'
  static override description =
    'A file is a PDF, JPEG or PNG. All files together may have 4.5 MB at Stripe, and 3 MB at a peer. Some processors distinguish kinds of evidence, and accept one file of each kind, ' +
    'such as receipt=slip.pdf. The documentation of each rail lists the kinds.'
  static override usage =
    'disputes contest DISPUTE --evidence <file> [--evidence <file>]… [--text <text>] [flags]'
  static override examples = [
    'payctl disputes contest dsp_0V8c… --evidence delivery.pdf',
    'payctl disputes contest dsp_0V8c… --evidence receipt=slip.pdf --text "Picked up in person"',
  ]
  static override args = { dispute: disputeArgument }
  static override flags = {
    evidence: string({
      multiple: true,
      summary: 'a file, or kind=file',
      helpValue: '<file>',
    }),
    text: string({ summary: 'the statement of the merchant', helpValue: '<text>' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DisputesContest)
    const { evidence = [], text } = flags
    if (evidence.length === 0 && text === undefined) throw new UsageError('Missing --evidence or --text')
    await refuseTooLarge(evidence)
    const files = await Promise.all(evidence.map(fileNamed))
    await this.answer(flags, {
      named: args.dispute,
      verb: 'contest',
      body: { ...(files.length > 0 && { files }), ...(text !== undefined && { text }) },
      warning: `Evidence is submitted once: ${[...evidence, ...(text === undefined ? [] : ['the text'])].join(', ')}`,
    })
  }
}

/**
 * Refuses files that are too large for every processor, before they are read. A processor with a lower
 * limit refuses them itself.
 */
async function refuseTooLarge(evidence: readonly string[]): Promise<void> {
  let bytes = 0
  for (const given of evidence) bytes += await sizeOf(partsOf(given).path)
  if (bytes > MAX_EVIDENCE)
    throw new UsageError(
      `The evidence has ${(bytes / 1e6).toFixed(1)} MB: no processor takes more than ${MAX_EVIDENCE / 1e6} MB together`,
    )
}

/** Bytes of a file; 0 if it cannot be read, which is reported when it is read. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch {
    return 0
  }
}

function partsOf(given: string): { readonly kind: string | undefined; readonly path: string } {
  const [, kind, path = ''] = /^(?:([a-z_]+)=)?(.*)$/s.exec(given) ?? []
  return { kind, path }
}

async function fileNamed(given: string): Promise<JsonObject> {
  const { kind, path } = partsOf(given)
  try {
    const name = basename(path)
    const content = writeDataUrl({ name, bytes: await readFile(path) })
    return { name, content, ...(kind !== undefined && { as: kind }) }
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
