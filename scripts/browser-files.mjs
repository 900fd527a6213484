import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

const SOURCES = 'src/http/browser'

/** Names that a script has without declaring them. The service fills in their values. */
const FILLED_IN = {
  'components-script': `/*! payctl: components for pages that take payments. */
(() => {
'use strict'
const FIELDS_URL = null`,
}

/** The beginning of a script: its names are not those of the page. */
const BEGINNING = `(() => {
'use strict'`

const OPTIONS = {
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  metafile: true,
  logLevel: 'warning',
}

/** Bundles each script and each stylesheet of `src/http/browser` into a file of the folder. Returns the sources. */
export async function bundleBrowserFiles(folder) {
  const files = readdirSync(SOURCES)
  const made = [
    await build({
      ...OPTIONS,
      entryPoints: files.filter((name) => name.endsWith('-style.css')).map((name) => join(SOURCES, name)),
      minifyWhitespace: true,
      outdir: folder,
    }),
  ]
  for (const name of files.filter((file) => file.endsWith('-script.ts')))
    made.push(
      await build({
        ...OPTIONS,
        entryPoints: [join(SOURCES, name)],
        loader: { '.css': 'text' },
        banner: { js: FILLED_IN[basename(name, '.ts')] ?? BEGINNING },
        footer: { js: '})()' },
        outdir: folder,
      }),
    )
  return made.flatMap(({ metafile }) => Object.keys(metafile.inputs))
}
