import type { OneOfField } from '../field.js'
import { closed, type ReadonlyJsonObject, type Schema } from '../json-schema.js'
import { attributesOf, type Resource } from '../resource.js'

const text = (description: string): Schema => ({ type: 'string', description })

/**
 * Requests that notify of events, by trigger. They come from the resource that has a `trigger` and a `url`.
 * Spec: "Events".
 */
export function notificationsOf(resources: readonly Resource[]): ReadonlyJsonObject {
  const triggers = resources.flatMap((resource) => {
    const { trigger, url } = attributesOf(resource)
    return trigger?.kind === 'one_of' && url && !resource.refuses?.POST ? [trigger] : []
  })
  return Object.fromEntries(
    triggers.flatMap(({ values }: OneOfField) => values.map((value) => [value, posted(value)])),
  )
}

function posted(trigger: string): ReadonlyJsonObject {
  const body = closed(
    {
      object: { const: 'webhook_trigger' },
      id: text('id of the event, the same in every attempt'),
      trigger: { const: trigger },
      webhook_id: text('the webhook'),
      triggered_at: text('time of the event (UTC)'),
      url: text('the address that is notified'),
      triggered_on: closed(
        {
          id: text('id of the object that fired the trigger'),
          object: text('its object name'),
          value: { type: ['string', 'null'], description: 'its status at that time, if it has one' },
        },
        ['id', 'object', 'value'],
      ),
    },
    ['object', 'id', 'trigger', 'webhook_id', 'triggered_at', 'url', 'triggered_on'],
  )
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  })
  return {
    post: {
      operationId: `notified_of_${trigger.replaceAll(/\W/g, '_')}`,
      summary: `notifies of ${trigger}`,
      parameters: [
        header('webhook-id', 'the id of the event'),
        header('webhook-timestamp', 'time of this attempt, in seconds since 1970'),
        header('webhook-signature', 'signature according to Standard Webhooks'),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: body } } },
      responses: {
        '2XX': { description: 'received; after any other status, the notification is sent again' },
      },
    },
  }
}
