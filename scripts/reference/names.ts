import type { EndpointAction } from '../../src/schema/openapi/endpoints.js'
import { operationSummary } from '../../src/schema/openapi/naming.js'
import type { Registry } from '../../src/schema/registry.js'
import type { Resource } from '../../src/schema/resource.js'
import { code } from './markdown.js'

/** File name of a resource's reference page. */
export function pageOf({ plural }: Resource): string {
  return `${plural.replaceAll('/', '-')}.md`
}

/** Name of a resource, with a link to its page. */
export function linkTo(registry: Registry, name: string): string {
  const resource = registry.find(name)
  return resource ? `[${name}](${pageOf(resource)})` : code(name)
}

/** Summary of an operation. A path that creates an object also accepts a list. */
export function summaryOf(does: EndpointAction): string {
  return does.kind === 'create' ? `${operationSummary(does)}, or a list of them` : operationSummary(does)
}
