/**
 * `npm run docs`
 *
 * Writes the reference pages, and the table of rails, from the declarations and oclif's manifest. With `--check`,
 * writes no page, and fails if one would change.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { adminOperations } from '../src/resources/admin/admin-operations.js'
import { resources } from '../src/resources/resource-table.js'
import { registryOf } from '../src/schema/registry.js'
import type { Manifest } from './reference/commands-page.js'
import { withMatrix } from './reference/gateway-matrix.js'
import { referencePages } from './reference/pages.js'

const FOLDER = 'docs/reference'
/** The page that contains the table of rails' abilities. */
const GATEWAYS = 'docs/gateways.md'

const manifest: Manifest = JSON.parse(await readFile('oclif.manifest.json', 'utf8'))
const pages = referencePages(registryOf(resources, Object.values(adminOperations)), manifest)

if (process.argv.includes('--check')) await check()
else await write()

async function write(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true })
  for (const [name, text] of pages) {
    await mkdir(dirname(join(FOLDER, name)), { recursive: true })
    await writeFile(join(FOLDER, name), text)
  }
  await writeFile(GATEWAYS, await withMatrix(await readFile(GATEWAYS, 'utf8')))
  process.stdout.write(`docs: ${pages.size} pages\n`)
}

async function check(): Promise<void> {
  const written = await pagesWritten()
  const stale = [...new Set([...pages.keys(), ...written.keys()])].filter(
    (name) => pages.get(name) !== written.get(name),
  )
  const gateways = await readFile(GATEWAYS, 'utf8')
  if (gateways !== (await withMatrix(gateways))) stale.push(GATEWAYS)
  process.stdout.write(
    stale.length === 0 ? 'docs: fresh\n' : `docs: stale; run npm run docs: ${stale.join(', ')}\n`,
  )
  process.exitCode = stale.length === 0 ? 0 : 1
}

async function pagesWritten(): Promise<Map<string, string>> {
  const names = (await readdir(FOLDER, { recursive: true })).filter((name) => name.endsWith('.md'))
  const texts = names.map(async (name) => [name, await readFile(join(FOLDER, name), 'utf8')] as const)
  return new Map(await Promise.all(texts))
}
