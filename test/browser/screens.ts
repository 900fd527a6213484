import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { palettePng } from '../support/palette-png.js'

/** Whether tests draw the screenshots in the docs anew, instead of only checking their files. */
export const IS_UPDATE = process.env['PAYCTL_UPDATE_SCREENS'] === '1'

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url))
const MAX_BYTES = 120_000

/** A screenshot in the docs. */
export interface Screen {
  /** Name of the file in `docs/images`, without `.png`. */
  readonly image: string
  /** Page below `docs` that shows the screenshot, such as `console.md`. */
  readonly shownIn: string
  readonly width: number
  readonly height: number
}

/**
 * Checks that a screenshot is a small file of the right size, and that the docs show it with an alternative text.
 * With `IS_UPDATE`, first draws it from the browser page in its present state.
 */
export async function checkScreen(page: Page, { image, shownIn, width, height }: Screen): Promise<void> {
  const file = `${DOCS}images/${image}.png`
  if (IS_UPDATE) {
    await page.setViewportSize({ width, height })
    mkdirSync(`${DOCS}images`, { recursive: true })
    writeFileSync(file, palettePng({ width, height, rgba: await pixelsOf(page) }))
  }
  const drawn = readFileSync(file)
  expect(drawn.length).to.be.below(MAX_BYTES)
  expect([drawn.readUInt32BE(16), drawn.readUInt32BE(20)]).to.deep.equal([width, height])
  expect(readFileSync(DOCS + shownIn, 'utf8')).to.match(
    new RegExp(`!\\[[^\\]]{20,}\\]\\(images/${image}\\.png\\)`),
  )
}

/** Pixels of the visible part of a page; a blank page of the same browser decodes the screenshot. */
async function pixelsOf(page: Page): Promise<Uint8Array> {
  const shot = (await page.screenshot()).toString('base64')
  const reader = await page.context().newPage()
  const bytes: string = await reader.evaluate(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${shot}')).blob())
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    const { data } = canvas.getImageData(0, 0, image.width, image.height)
    let text = ''
    for (let at = 0; at < data.length; at += 32768) text += String.fromCharCode(...data.subarray(at, at + 32768))
    return btoa(text)
  })()`)
  await reader.close()
  return Buffer.from(bytes, 'base64')
}
