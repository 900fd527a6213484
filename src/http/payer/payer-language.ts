import type { FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../schema/language.js'

/** Language of a payer's page: the language of its link, else the language that the browser prefers, else English. */
export function payerLanguage({ headers }: Pick<FastifyRequest, 'headers'>, locale?: Language): Language {
  return locale ?? preferredLanguage(headers['accept-language'] ?? '')
}

/**
 * Maximum number of characters of the header that are read. There is a limit because anybody may send such a header.
 */
const MAX_HEADER = 1_000
/** A range of languages. No repeated part can match the beginning of the next part, so no input takes long to match. */
const RANGE = /^([a-z]{1,8})(?:-[a-z0-9]{1,8})*(?:[ \t]*;[ \t]*q=([\d.]{1,5}))?$/i

/** The language with the greatest weight in an `Accept-Language` header, as in `fr-CA,fr;q=0.9,en;q=0.8`. RFC 9110, 12.5.4. */
function preferredLanguage(header: string): Language {
  const ranges = header
    .slice(0, MAX_HEADER)
    .split(',')
    .map((range) => {
      const [, tag = '', weight = '1'] = RANGE.exec(range.trim()) ?? []
      return { tag: tag.toLowerCase(), weight: Number(weight) }
    })
  const known = ranges.flatMap(({ tag, weight }) => {
    const language = LANGUAGES.find((one) => one === tag)
    return language !== undefined && weight > 0 ? [{ language, weight }] : []
  })
  const [best] = known.sort((a, b) => b.weight - a.weight)
  return best?.language ?? DEFAULT_LANGUAGE
}
