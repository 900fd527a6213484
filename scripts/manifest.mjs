/** Last step of `npm run manifest`: rewrites the output of `oclif manifest` in compact form. */
import { readFile, writeFile } from 'node:fs/promises'
import { compactManifest } from './manifest/compact-manifest.mjs'

const file = 'oclif.manifest.json'
await writeFile(file, compactManifest(JSON.parse(await readFile(file, 'utf8'))))
