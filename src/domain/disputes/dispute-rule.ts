import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule } from '../../engine/core/write/work.js'
import type { EvidenceFile } from '../../gateways/contract.js'
import type { resources } from '../../resources/resource-table.js'
import { readDataUrl } from '../../schema/data-url.js'
import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import type { Gateways } from '../gateways/gateways.js'
import { answerDispute } from './answer-dispute.js'

/** Maximum number of files of one answer. */
const MAX_FILES = 20
const MAX_NAME = 255
/** Media types of evidence, recognized by the first bytes of a file. The type that the client states is ignored. */
const SIGNATURES: readonly (readonly [mediaType: string, begins: string])[] = [
  ['application/pdf', '%PDF-'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG'],
]

/** Rule of disputes: banks raise them, and callers with the right to do so answer them. */
export function disputeRule(gateways: Gateways): Rule<typeof resources.dispute> {
  return {
    isOpen: ({ pending_operation: pending }) => pending !== null,
    actions: {
      accept: {
        perform: async (work, { id }) =>
          await answerDispute(work, gateways, id, { answer: 'accept', files: [] }),
      },
      contest: {
        async perform(work, { id }, { text, files }) {
          const evidence = filesIn(files)
          const words = typeof text === 'string' && text.trim() !== '' ? text : undefined
          if (evidence.length === 0 && words === undefined)
            throw invalidAttributes({ files: 'Required, unless there is a text' })
          return await answerDispute(work, gateways, id, { answer: 'contest', text: words, files: evidence })
        },
      },
    },
  }
}

/** The files of an answer. Throws `InvalidAttributes`. */
function filesIn(given: unknown): readonly EvidenceFile[] {
  const list = typeof given === 'string' ? parsedJson(given) : given
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw invalidAttributes({ files: 'Must be a list of {name, content}' })
  if (list.length > MAX_FILES) throw invalidAttributes({ files: `Must be at most ${MAX_FILES}` })
  return list.map(fileIn)
}

function fileIn(given: unknown): EvidenceFile {
  const { name: called, content, as } = isTree(given) ? given : {}
  const file = typeof content === 'string' ? readDataUrl(content) : undefined
  if (!file) throw invalidAttributes({ files: 'Must each have a content, which is a data URL' })
  const name = typeof called === 'string' && called !== '' ? called : (file.name ?? 'evidence')
  if (name.length > MAX_NAME) throw invalidAttributes({ files: `Must have names of at most ${MAX_NAME}` })
  if (as !== undefined && as !== null && typeof as !== 'string')
    throw invalidAttributes({ files: 'Must say what they are (as) by a text' })
  const mediaType = SIGNATURES.find(
    ([, begins]) => file.bytes.toString('latin1', 0, begins.length) === begins,
  )?.[0]
  if (!mediaType) throw invalidAttributes({ files: `${name} is no PDF, JPEG or PNG file` })
  return { name, mediaType, content: file.bytes, as: as ?? undefined }
}
