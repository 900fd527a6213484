/**
 * `npm run build`: makes the bundle, the native part of SQLite's library, the page of `/docs`, files for browsers, man pages,
 * and licence notices.
 */
import { cp, rm, writeFile } from 'node:fs/promises'
import { bundleBrowserFiles } from './browser-files.mjs'
import { noticesOf } from './bundle/notices.mjs'
import { bundle } from './bundle.mjs'
import { copyDocs } from './docs-page.mjs'
import { writeManPages } from './man-pages.mjs'

// The library searches its native part in this folder, beside the folder of the running file.
const NATIVE = 'prebuilds'

for (const folder of ['dist', NATIVE]) await rm(folder, { recursive: true, force: true })
await cp(`node_modules/better-sqlite3/${NATIVE}`, NATIVE, { recursive: true })
const { outfile, inputs } = await bundle('./dist')
const packed = [...inputs, 'node_modules/swagger-ui-dist']
await writeFile('./dist/third-party-notices.txt', await noticesOf(packed))
await copyDocs('./dist/docs')
await bundleBrowserFiles('./dist/browser')
await cp('released', './dist/browser/released', { recursive: true })
await writeManPages(outfile, './dist/man')
