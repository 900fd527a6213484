import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { openProgram } from './source.mjs'
import { spreadLists, spreadObjects } from './spread-literals.mjs'
import { patternsOverSql } from './sql-patterns.mjs'
import { weakMapsOfDeclarations } from './weak-maps.mjs'

/** Maximum of each figure. A figure without a maximum is only printed. */
const BOUNDS = {
  'entries below src/': 11,
  'percent of file names used twice': 5,
  'objects spread to defeat the formatter': 0,
  'lists spread to defeat the formatter': 0,
  'WeakMaps keyed by declarations outside src/model': 0,
  'regular expressions over SQL': 0,
  'changed or missing migrations of 1.0.0': 0,
  'migrations beyond one for each later release': 0,
}

/** The migrations of 1.0.0. Each name ends with a digest of the schema, so a changed step has another name. */
const FIRST_MIGRATIONS = ['0001_first_61cdfd57']

/**
 * Figures about the files and the code of `src`. Each has a name, a value, its maximum if there is one, and the counted
 * places if they can be listed.
 */
export async function figuresOf(files) {
  const program = openProgram()
  const figures = [
    ...(await figuresOfFiles(files)),
    counted('WeakMaps keyed by declarations outside src/model', weakMapsOfDeclarations(program)),
    counted('regular expressions over SQL', patternsOverSql(program)),
    counted('objects spread to defeat the formatter', spreadObjects(program)),
    counted('lists spread to defeat the formatter', spreadLists(program)),
  ]
  return figures.map((figure) => ({ ...figure, bound: BOUNDS[figure.name] }))
}

function counted(name, places) {
  return { name, value: places.length, places }
}

async function figuresOfFiles(files) {
  const lengths = await Promise.all(
    files.map(async (file) => (await readFile(file, 'utf8')).split('\n').length - 1),
  )
  const sorted = lengths.toSorted((a, b) => a - b)
  const short = sorted.filter((length) => length < 25).length
  const twice = sharedNames(files)
  return [
    { name: 'entries below src/', value: new Set(files.map((file) => file.split('/')[1])).size },
    { name: 'files', value: files.length },
    { name: 'lines of src', value: lengths.reduce((sum, length) => sum + length, 0) },
    { name: 'median lines of a file', value: sorted[Math.floor(sorted.length / 2)] },
    { name: 'files under 25 lines', value: short },
    { name: 'percent of files under 25 lines', value: percent(short, files.length) },
    counted('file names used twice', twice),
    { name: 'percent of file names used twice', value: percent(twice.length, files.length) },
    ...(await figuresOfMigrations()),
  ]
}

/** Each release since 1.0.0, and the one to come, may add one migration; those of 1.0.0 stay as they were. */
async function figuresOfMigrations() {
  const text = await readFile('src/engine/store/migrations/migrations.ts', 'utf8')
  const names = [...text.matchAll(/name: '(\d{4}_\w+)'/g)].map(([, name]) => name)
  const headings = (await readFile('CHANGELOG.md', 'utf8')).matchAll(/^## \[(.+?)\]/gm)
  const laterReleases = [...headings].filter(([, version]) => version !== '1.0.0').length
  const changed = FIRST_MIGRATIONS.filter((name, index) => names[index] !== name)
  const later = names.length - FIRST_MIGRATIONS.length
  return [
    counted('changed or missing migrations of 1.0.0', changed),
    { name: 'migrations beyond one for each later release', value: Math.max(0, later - laterReleases) },
  ]
}

/** Files that share their name with another file. */
function sharedNames(files) {
  const counts = new Map()
  for (const name of files.map((file) => basename(file))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return files.filter((file) => counts.get(basename(file)) > 1)
}

function percent(part, whole) {
  return Number(((100 * part) / whole).toFixed(1))
}
