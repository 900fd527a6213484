import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { listOf, objectOf } from '../support/core.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Lets frames of other origins answer the page that contains them. */
const ANY_ORIGIN = "axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })"

/** Findings of axe-core about a page with all of its frames, or about one frame, a line for each element. */
export async function findingsOf(page: Page | Frame): Promise<string[]> {
  const frames = 'frames' in page ? page.frames() : [page]
  await Promise.all(frames.map((frame) => frame.evaluate(`${AXE};${ANY_ORIGIN}`)))
  const written: string = await page.evaluate(
    'axe.run().then(({violations}) => JSON.stringify({violations}))',
  )
  const { violations }: JsonObject = JSON.parse(written)
  return listOf(violations).flatMap((violation) => {
    const { id, nodes } = objectOf(violation)
    return listOf(nodes).map((node) => `${id}: ${objectOf(node).failureSummary} ${objectOf(node).html}`)
  })
}
