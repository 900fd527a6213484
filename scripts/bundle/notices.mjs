import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Text with the licences of all packages in a bundle. `inputs` are the paths of the bundle's source files. Throws if a
 * package has no file with its licence.
 */
export async function noticesOf(inputs) {
  const folders = new Set(inputs.map(folderOf).filter((folder) => folder !== undefined))
  const notices = await Promise.all([...folders].sort().map(noticeOf))
  return `Parts of these packages are in the files beside this one.\n\n${notices.join('\n')}`
}

/** Folder of the package that a file belongs to; undefined for files of payctl itself. */
function folderOf(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]
}

async function noticeOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort()
  if (files.length === 0) throw new Error(`${name} has no file with its licence, which payctl must ship`)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const title = `${name} ${version} (${license})`
  const heading = `${title}\n${'='.repeat(title.length)}`
  return `${[heading, ...texts.map((text) => text.trim())].join('\n\n')}\n`
}
