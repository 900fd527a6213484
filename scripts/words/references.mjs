import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A section of the documentation in the form that comments use: page and heading. */
const SECTION = /\b(docs\/[\w/-]+\.md), "([^"]*)"/g
/** A section in a form without the path of its page: `Money`, a colon, and the heading in quotes. */
const SHORT = /\b([A-Z][a-z]+): "([^"]*)"/g

/**
 * Makes a function that finds the sections which a text names in another form than page and heading, or which do not
 * exist. Each page is read once. The specification has no page, so its sections are not checked.
 */
export function referencesIn(root) {
  const known = new Map()
  const headingsOf = (page) => {
    const path = join(root, page)
    if (!known.has(page))
      known.set(page, existsSync(path) ? headingsIn(readFileSync(path, 'utf8')) : undefined)
    return known.get(page)
  }
  return (text) => [
    ...[...text.matchAll(SECTION)].flatMap(([, page, heading]) => {
      const headings = headingsOf(page)
      if (headings === undefined) return [`names ${page}, which does not exist`]
      return headings.has(heading) ? [] : [`names "${heading}", which is no heading of ${page}`]
    }),
    ...[...text.matchAll(SHORT)].flatMap(([short, word, heading]) => {
      const page = `docs/${word.toLowerCase()}.md`
      return headingsOf(page) === undefined ? [] : [`names ${short}; write ${page}, "${heading}"`]
    }),
  ]
}

function headingsIn(text) {
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading))
}
