import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const OURS = 'src/http/pages/docs'
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** Files of Swagger UI that the page of `/docs` needs, and its licence. */
const FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
]

/** Copies the files of the page of `/docs` into a folder, so that it can be served without packages or a network. */
export async function copyDocs(folder) {
  await mkdir(folder, { recursive: true })
  for (const name of ['index.html', 'start.js', 'style.css'])
    await copyFile(join(OURS, name), join(folder, name))
  for (const name of FILES) await copyFile(join(SWAGGER_UI, name), join(folder, name))
}
