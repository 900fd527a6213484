import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { onSqlite } from '../support/databases.js'
import { typedPage } from './typed-page.js'

const PAGE = new URL('../../docs/story.md', import.meta.url)

onSqlite((open) => {
  describe('the story of the documentation', () => {
    it('shows what its commands print (PAYCTL_UPDATE_STORY=1 renews it)', async () => {
      const isWritten = process.env['PAYCTL_UPDATE_STORY'] !== undefined
      const page = await readFile(PAGE, 'utf8')
      const place = await open.place()
      const file = join(place.home, 'shop.json')
      await writeFile(file, /```json\n(?<json>[^`]*)```/.exec(page)?.groups?.['json'] ?? '')
      const words = new Map([['shop.json', file]])
      let anew = page
      let steps = 0
      for await (const { command, exitCode, before, now } of typedPage({ page, place, words })) {
        steps++
        expect(exitCode, now).to.equal(0)
        anew = anew.replace(before, () => now)
        if (!isWritten) expect(lasting(now), command).to.equal(lasting(before))
      }
      expect(steps).to.be.greaterThan(20)
      if (isWritten) await writeFile(PAGE, anew)
    })
  })
})

/** Replaces ids, and minutes and seconds, which differ in each run. */
function lasting(text: string): string {
  return text.replaceAll(/\b[a-z]+_[0-9A-Za-z]{22}\b/g, 'id').replaceAll(/(?<= \d\d):\d\d:\d\d/g, ':MM:SS')
}
