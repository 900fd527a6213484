import { onDatabases, type Place } from '../../../support/databases.js'
import { hasTerminal, Terminal, type TerminalOptions } from '../../../support/terminal.js'

/** Opens a terminal on a suite's database; it is closed when the test ends. */
export type Opening = (options?: TerminalOptions) => Promise<Terminal>

/** Runs a suite on real terminals, on every database; skipped without tmux. */
export function atTerminals(title: string, define: (open: Opening, place: () => Place) => void): void {
  if (!hasTerminal()) return
  onDatabases((database) => {
    describe(title, () => {
      let place: Place
      const opened: Terminal[] = []
      before(async () => {
        place = await database.place()
      })
      afterEach(() => {
        for (const terminal of opened.splice(0)) terminal.close()
      })
      define(
        async (options) => {
          const terminal = await Terminal.open(place, options)
          opened.push(terminal)
          return terminal
        },
        () => place,
      )
    })
  })
}
