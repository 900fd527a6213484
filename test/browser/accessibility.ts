import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { listOf, objectOf } from '../support/core.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong with a page or frame as it is now, a line for each element. */
export async function findingsOf(page: Page | Frame): Promise<string[]> {
  await page.evaluate(AXE)
  const written: string = await page.evaluate(
    'axe.run().then(({violations}) => JSON.stringify({violations}))',
  )
  const { violations }: JsonObject = JSON.parse(written)
  return listOf(violations).flatMap((violation) => {
    const { id, nodes } = objectOf(violation)
    return listOf(nodes).map((node) => `${id}: ${objectOf(node).failureSummary} ${objectOf(node).html}`)
  })
}
