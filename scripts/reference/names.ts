import type { EndpointAction } from '../../src/schema/openapi/endpoints.js'
import { operationSummary } from '../../src/schema/openapi/naming.js'
import type { Registry } from '../../src/schema/registry.js'
import type { Resource } from '../../src/schema/resource.js'
import { code } from './markdown.js'

/** The page of a resource, in the folder of the reference. */
export function pageOf({ plural }: Resource): string {
  return `${plural.replaceAll('/', '-')}.md`
}

/** The name of a resource, which leads to its page. */
export function linkTo(registry: Registry, name: string): string {
  const resource = registry.find(name)
  return resource ? `[${name}](${pageOf(resource)})` : code(name)
}

/** What an operation does; the path at which one object is created takes lists as well. */
export function summaryOf(does: EndpointAction): string {
  return does.kind === 'create' ? `${operationSummary(does)}, or a list of them` : operationSummary(does)
}
