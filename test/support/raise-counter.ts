import process from 'node:process'
import { openStore } from '../../src/engine/store/open-store.js'
import { keyFilePath, readKeyFile } from '../../src/engine/store/vault/key-file.js'
import { systemRandom } from '../../src/platform/random.js'
import { increment, insertOnce } from './counters.js'

/**
 * Arguments of this program: it opens a place and increments a counter `times` times, with `atOnce` units of
 * work at the same time.
 */
const [home = '', databaseUrl, times = '0', atOnce = '1'] = process.argv.slice(2)

async function main(): Promise<void> {
  const url = databaseUrl === '' ? undefined : databaseUrl
  const store = await openStore({ home, databaseUrl: url, environment: 'test', random: systemRandom })
  await store.write((tx) => insertOnce(tx, 'counter'))
  for (let done = 0; done < Number(times); done += Number(atOnce))
    await Promise.all(
      Array.from({ length: Number(atOnce) }, () => store.write((tx) => increment(tx, 'counter'))),
    )
  await store.close()
  process.stdout.write(readKeyFile(keyFilePath(home)).current)
}

void main()
