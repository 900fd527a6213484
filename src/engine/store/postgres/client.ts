import pg from 'pg'

type Told = (error: Error | null) => void

/**
 * A client that hangs up when no connection comes about, as the driver does not: the server would go on waiting for
 * an answer, and this process for the server.
 */
export class Client extends pg.Client {
  override connect(): Promise<pg.Client>
  override connect(told: Told): void
  override connect(told?: Told): Promise<pg.Client> | undefined {
    if (!told) return super.connect()
    super.connect((error: Error | null) => {
      told(error)
      if (error) this.end(nobodyWaits)
    })
    return undefined
  }
}

function nobodyWaits(): void {
  return
}
