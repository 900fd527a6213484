import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { listOf, objectOf } from '../support/core.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Allows axe-core in a page to receive findings from frames of other origins. */
const ANY_ORIGIN = "axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })"

/** The only rule whose findings depend on colours, and so on whether a page is light or dark. */
export const CONTRAST = 'color-contrast'

/**
 * Accessibility problems that axe-core finds in a page with all its frames, or in one frame. One line per
 * element; empty if there are none. `rule` limits the search to one rule.
 */
export async function findingsOf(page: Page | Frame, rule?: typeof CONTRAST): Promise<string[]> {
  const frames = 'frames' in page ? page.frames() : [page]
  await Promise.all(frames.map(haveAxe))
  const options = { resultTypes: ['violations'], ...(rule !== undefined && { runOnly: [rule] }) }
  const written: string = await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({violations}) => JSON.stringify({violations}))`,
  )
  const { violations }: JsonObject = JSON.parse(written)
  return listOf(violations).flatMap((violation) => {
    const { id, nodes } = objectOf(violation)
    return listOf(nodes).map((node) => `${id}: ${objectOf(node).failureSummary} ${objectOf(node).html}`)
  })
}

/** Loads axe-core into a frame that does not have it yet. */
async function haveAxe(frame: Page | Frame): Promise<void> {
  if (await frame.evaluate("typeof axe === 'undefined'")) await frame.evaluate(`${AXE};${ANY_ORIGIN}`)
}
