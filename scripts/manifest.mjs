/** The end of `npm run manifest`: writes what `oclif manifest` has made again, compactly. */
import { readFile, writeFile } from 'node:fs/promises'
import { compactManifest } from './manifest/compact-manifest.mjs'

const file = 'oclif.manifest.json'
await writeFile(file, compactManifest(JSON.parse(await readFile(file, 'utf8'))))
