import type { FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../../schema/language.js'

/** Language of a payer's page: that of its link, else the first that the browser prefers, else English. */
export function payerLanguage({ headers }: Pick<FastifyRequest, 'headers'>, locale?: Language): Language {
  return locale ?? preferredLanguage(headers['accept-language'] ?? '')
}

/** The language with the greatest weight in an `Accept-Language` header, as in `fr-CA,fr;q=0.9,en;q=0.8`. RFC 9110, 12.5.4. */
function preferredLanguage(header: string): Language {
  const ranges = header.split(',').map((range) => {
    const [, tag = '', weight = '1'] = /^\s*([a-z]+)[\w-]*\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(range) ?? []
    return { tag: tag.toLowerCase(), weight: Number(weight) }
  })
  const known = ranges.flatMap(({ tag, weight }) => {
    const language = LANGUAGES.find((one) => one === tag)
    return language !== undefined && weight > 0 ? [{ language, weight }] : []
  })
  const [best] = known.sort((a, b) => b.weight - a.weight)
  return best?.language ?? DEFAULT_LANGUAGE
}
