import { columnName } from '../../../schema/columns.js'
import type {
  AddressField,
  DerivedField,
  Field,
  Fields,
  ManyField,
  OneField,
  ValueField,
} from '../../../schema/field.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import { shownColumn } from '../../../schema/wire.js'
import type { Selection } from '../query/selection.js'

/** How to show the selected attributes of a row, in order; made once for each selection. */
export type ProjectionPlan = readonly ProjectionStep[]

export type ProjectionStep = { readonly name: string } & (
  | { readonly kind: 'constant'; readonly value: string | null }
  | { readonly kind: 'column'; readonly field: ValueField; readonly column: string }
  | { readonly kind: 'derived'; readonly field: DerivedField }
  | { readonly kind: 'address'; readonly field: AddressField }
  | { readonly kind: 'group'; readonly plan: ProjectionPlan }
  | { readonly kind: 'one'; readonly field: OneField; readonly selection: Selection }
  | { readonly kind: 'many'; readonly field: ManyField; readonly selection: Selection }
)

export function projectionPlanOf(resource: Resource, selection: Selection): ProjectionPlan {
  const known = plans.get(selection)
  if (known?.resource === resource) return known.plan
  const plan = planFields(attributesOf(resource), selection, [])
  plans.set(selection, { resource, plan })
  return plan
}
const plans = new WeakMap<Selection, { resource: Resource; plan: ProjectionPlan }>()

/** What is shown inside of the rows from rows of other objects. */
export type RelatedStep = ProjectionStep & { readonly kind: 'one' | 'many' }

/** The relations of a plan, those in groups as well. */
export function relatedStepsOf(plan: ProjectionPlan): readonly RelatedStep[] {
  const known = relatedSteps.get(plan)
  if (known) return known
  const found = plan.flatMap((step): readonly RelatedStep[] => {
    if (step.kind === 'group') return relatedStepsOf(step.plan)
    return step.kind === 'one' || step.kind === 'many' ? [step] : []
  })
  relatedSteps.set(plan, found)
  return found
}
const relatedSteps = new WeakMap<ProjectionPlan, readonly RelatedStep[]>()

/** The columns that showing rows needs: reading the others would take as long as reading these. */
export function columnsToShow(resource: Resource, selection: Selection): readonly string[] {
  const plan = projectionPlanOf(resource, selection)
  const known = columns.get(plan)
  if (known) return known
  const found = [...new Set(['id', 'deleted_at', ...plan.flatMap(columnsOfStep)])]
  columns.set(plan, found)
  return found
}
const columns = new WeakMap<ProjectionPlan, readonly string[]>()

function columnsOfStep(step: ProjectionStep): readonly string[] {
  switch (step.kind) {
    case 'column':
      return [step.column]
    case 'derived':
      return columnsOfDerived(step.field)
    case 'group':
      return step.plan.flatMap(columnsOfStep)
    case 'one':
      return [step.field.by]
    case 'constant':
    case 'address':
    case 'many':
      return []
  }
}

/** The columns that a derived value follows from. */
export function columnsOfDerived({ cases }: DerivedField): readonly string[] {
  return cases.flatMap(({ when }) => when.map(({ column }) => column))
}

function planFields(fields: Fields, selection: Selection, path: readonly string[]): ProjectionPlan {
  return [...selection].flatMap(([name, inner]) => {
    const field = fields[name]
    return field ? [planField(name, field, inner ?? new Map(), [...path, name])] : []
  })
}

function planField(name: string, field: Field, inner: Selection, path: readonly string[]): ProjectionStep {
  switch (field.kind) {
    case 'constant':
      return { name, kind: 'constant', value: field.value }
    case 'alias':
      return { name, kind: 'column', field: { kind: 'text' }, column: columnName(field.of) }
    case 'derived':
      return { name, kind: 'derived', field }
    case 'address':
      return { name, kind: 'address', field }
    case 'group':
      return { name, kind: 'group', plan: planFields(field.fields, inner, path) }
    case 'one':
      return { name, kind: 'one', field, selection: inner }
    case 'many':
      return { name, kind: 'many', field, selection: inner }
    default:
      return field.transient
        ? { name, kind: 'constant', value: null }
        : { name, kind: 'column', field, column: shownColumn(field, path) }
  }
}
