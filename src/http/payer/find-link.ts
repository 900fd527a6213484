import type { App } from '../../app.js'
import type { OpenedLink } from '../../domain/links/open-link.js'

export interface LinkSources {
  readonly app: App
  /** The unrestricted app, with which an unknown link can be distinguished from a link that `app` refuses. */
  readonly whole: App
}

/** The link with an id, of either environment. Throws a refusal when its environment is not served here. */
export async function findLink({ app, whole }: LinkSources, id: string): Promise<OpenedLink | undefined> {
  for (const environment of ['test', 'live'] as const) {
    const payables = await (await whole.environment(environment)).payables()
    const link = await payables.link(id)
    if (!link) continue
    ;(await app.environment(environment)).core
    return link
  }
  return undefined
}
