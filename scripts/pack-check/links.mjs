import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const LINK = /\]\((?<target>[^)\s]+)\)/g
const ELSEWHERE = /^[a-z]+:/

/** Broken relative links in the pages of a folder: the file, or the heading in it, does not exist. */
export function brokenLinks(root) {
  const pages = readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.md'))
  return pages.flatMap((page) =>
    targetsOf(join(root, page))
      .filter((target) => !ELSEWHERE.test(target) && !leadsSomewhere(root, page, target))
      .map((target) => `${page}: ${target}`),
  )
}

function targetsOf(page) {
  return [...withoutCode(readFileSync(page, 'utf8')).matchAll(LINK)].map(({ groups }) => groups.target)
}

function leadsSomewhere(root, page, target) {
  const [path, heading] = target.split('#')
  const file = path === '' ? join(root, page) : join(root, dirname(page), path)
  if (relative(root, file).startsWith('..') || !existsSync(file)) return false
  return heading === undefined || (statSync(file).isFile() && headingsOf(file).includes(heading))
}

/**
 * Headings of a page as link targets: lower case, hyphens instead of spaces, and otherwise only letters, digits and
 * underscores.
 */
function headingsOf(page) {
  const headings = withoutBlocks(readFileSync(page, 'utf8')).matchAll(/^#+ (?<text>.+)$/gm)
  return [...headings].map(({ groups }) =>
    groups.text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}

const withoutBlocks = (text) => text.replaceAll(/^```[\s\S]*?^```/gm, '')
const withoutCode = (text) => withoutBlocks(text).replaceAll(/`[^`]*`/g, '')
