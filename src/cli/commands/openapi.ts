import { PayctlCommand } from '../terminal/command/command.js'
import { registry } from '../terminal/declarations/declared-registry.js'

/** The API as an OpenAPI document; `serve` publishes the same document. */
export async function openapiDocument(): Promise<object> {
  const { documentOf } = await import('../../schema/openapi/document.js')
  return documentOf(registry)
}

export class Openapi extends PayctlCommand {
  static override summary = 'print the interface as an OpenAPI 3.1 document'
  static override usage = 'openapi'
  static override examples = ['payctl openapi > openapi.json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Openapi)
    await this.write(flags, `${JSON.stringify(await openapiDocument(), null, 2)}\n`)
  }
}
