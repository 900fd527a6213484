import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { onSqlite } from '../support/databases.js'
import { typed } from './story.js'

const PAGE = new URL('../../docs/story.md', import.meta.url)

onSqlite((open) => {
  describe('the story of the documentation', () => {
    it('shows what its commands print (PAYCTL_UPDATE_STORY=1 renews it)', async () => {
      const isWritten = process.env['PAYCTL_UPDATE_STORY'] !== undefined
      const page = await readFile(PAGE, 'utf8')
      const place = await open.place()
      const file = join(place.home, 'shop.json')
      await writeFile(file, /```json\n(?<json>[^`]*)```/.exec(page)?.groups?.['json'] ?? '')
      let anew = page
      let steps = 0
      for await (const { command, onPage, expected, printed } of typed(
        page,
        place,
        new Map([['shop.json', file]]),
      )) {
        steps++
        anew = anew.replace(onPage, () => `${command}\n${printed}`)
        if (!isWritten) expect(timeless(printed), command).to.equal(timeless(expected))
      }
      expect(steps).to.be.greaterThan(20)
      if (isWritten) await writeFile(PAGE, anew)
    })
  })
})

/** Replaces minutes and seconds, which differ in each run. */
function timeless(text: string): string {
  return text.replaceAll(/(?<= \d\d):\d\d:\d\d/g, ':MM:SS')
}
