import { Money } from '@limber/contract/kit/money.ts'
import { Email, Text } from '@limber/contract/kit/values.ts'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { CallFailure } from '#platform/api/call-failure.ts'
import { renderScreen } from '#platform/testing/testing.tsx'
import { FormDialog } from '../dialog/form-dialog.tsx'
import { ChoiceField, TextField } from './fields.tsx'
import { MoneyField } from './figure-field.tsx'
import { Form } from './form.tsx'
import { NumberField } from './number-field.tsx'

const Lead = z.strictObject({
  name: Text(20),
  email: Email,
  hours: z.number().max(12).optional(),
  source: z.enum(['web', 'fair']).optional(),
  zone_id: z.number(),
})
type Sent = z.input<typeof Lead>

interface Props {
  save: (lead: Sent) => Promise<unknown>
  onDone?: () => void
  isGuarded?: boolean
}

function LeadForm({ save, onDone, isGuarded = false }: Props) {
  const mutation = useMutation({ mutationFn: save, retry: false })
  return (
    <>
      <Form
        schema={Lead}
        mutation={mutation}
        fixed={{ zone_id: 4 }}
        submit="Save"
        isGuarded={isGuarded}
        {...(onDone ? { onDone } : {})}
      >
        <TextField label="Name" name="name" />
        <TextField label="E-mail" name="email" type="email" />
        <NumberField label="Hours" name="hours" />
        <ChoiceField label="Source" name="source" placeholder="Any" options={[{ value: 'web', label: 'Web' }]} />
      </Form>
      <Link to="/elsewhere">Away</Link>
    </>
  )
}

const field = (name: string) => screen.getByRole('textbox', { name })
const fill = async (user: Awaited<ReturnType<typeof renderScreen>>['user']) => {
  await user.type(field('Name'), 'Dana Whitfield')
  await user.type(field('E-mail'), 'dana@example.com')
}
const refusal = (fields: { path: string; text: string }[] = []) =>
  new CallFailure(409, { error: 'This lead exists.', code: 'lead_exists', fields })

describe('a form', () => {
  it('sends input and fixed values, without empty fields', async () => {
    const save = vi.fn(async (_: Sent) => ({}))
    const onDone = vi.fn()
    const { user } = await renderScreen(<LeadForm save={save} onDone={onDone} />)
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(onDone).toHaveBeenCalled())
    expect(save.mock.calls.map(([lead]: Sent[]) => lead)).toEqual([
      { name: 'Dana Whitfield', email: 'dana@example.com', zone_id: 4 },
    ])
  })

  it('shows problems at the fields before sending, and focuses the first', async () => {
    const save = vi.fn(async () => ({}))
    const { user } = await renderScreen(<LeadForm save={save} />)
    await user.type(field('E-mail'), 'dana@example')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Name is required.')).toBeTruthy()
    expect(screen.getByText('Invalid email format.')).toBeTruthy()
    expect(document.activeElement).toBe(field('Name'))
    expect(save).not.toHaveBeenCalled()
    await user.type(field('Name'), 'Dana')
    expect(screen.queryByText('Name is required.')).toBeNull()
    expect((field('Name') as HTMLInputElement).value).toBe('Dana')
  })

  it("shows the refusal and the server's field problems, and keeps the input", async () => {
    const save = () => Promise.reject(refusal([{ path: 'email', text: 'is already a lead' }]))
    const { user } = await renderScreen(<LeadForm save={save} />)
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findByRole('alert')).textContent).toContain('This lead exists.')
    expect(screen.getByText('E-mail is already a lead.')).toBeTruthy()
    expect(field('Name')).toHaveProperty('value', 'Dana Whitfield')
  })

  it('scrolls to a refusal without a field', async () => {
    const shown: Element[] = []
    const look = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      shown.push(this)
    })
    const { user } = await renderScreen(<LeadForm save={() => Promise.reject(refusal())} />)
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('alert')
    expect(shown.map(({ textContent }) => textContent)).toEqual(['This lead exists.'])
    look.mockRestore()
  })

  it('is disabled while sending, and sends once', async () => {
    let finish = () => {}
    const save = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)))
    const { user } = await renderScreen(<LeadForm save={save} />)
    await fill(user)
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(save).toHaveBeenCalledOnce())
    expect(screen.getByRole('group')).toHaveProperty('disabled', true)
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(save).toHaveBeenCalledOnce()
    finish()
    await waitFor(() => expect(screen.getByRole('group')).toHaveProperty('disabled', false))
  })

  it('asks before leaving with unsaved changes', async () => {
    const { user } = await renderScreen(<LeadForm save={async () => ({})} isGuarded />)
    await user.type(field('Name'), 'Dana')
    await user.click(screen.getByRole('link', { name: 'Away' }))
    await screen.findByRole('alertdialog', { name: 'Leave without saving?' })
    await user.click(screen.getByRole('button', { name: 'Stay' }))
    expect(field('Name')).toHaveProperty('value', 'Dana')
    await user.click(screen.getByRole('link', { name: 'Away' }))
    await user.click(await screen.findByRole('button', { name: 'Leave' }))
    expect(await screen.findByText('Elsewhere')).toBeTruthy()
  })

  it('does not ask when nothing was typed', async () => {
    const { user } = await renderScreen(<LeadForm save={async () => ({})} isGuarded />)
    await user.click(screen.getByRole('link', { name: 'Away' }))
    expect(await screen.findByText('Elsewhere')).toBeTruthy()
  })
})

describe('a money field', () => {
  const Price = z.strictObject({ price: Money })

  async function type(typed: string) {
    const save = vi.fn(async (_: z.input<typeof Price>) => ({}))
    function PriceForm() {
      const mutation = useMutation({ mutationFn: save, retry: false })
      return (
        <Form schema={Price} mutation={mutation} submit="Save">
          <MoneyField label="Price" name="price" />
        </Form>
      )
    }
    const { user } = await renderScreen(<PriceForm />)
    await user.type(field('Price'), typed)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    return save.mock.calls.map(([sent]: z.input<typeof Price>[]) => sent)
  }

  it.each([
    ['44,50', 'Price must be a number like 1,234.50.'],
    ['-3', 'Price must not be negative.'],
    ['1.234', 'Price must have at most 2 decimals.'],
  ])('keeps %s as typed and rejects it', async (typed, text) => {
    expect(await type(typed)).toEqual([])
    expect(screen.getByText(text)).toBeTruthy()
    expect(field('Price')).toHaveProperty('value', typed)
  })

  it('sends the exact amount, with or without separators', async () => {
    expect(await type('1,234.50')).toEqual([{ price: '1234.50' }])
    expect(field('Price')).toHaveProperty('value', '1,234.50')
  })
})

describe('a form in a dialog', () => {
  const Task = z.object({ title: Text(60) })
  function Screen({ save }: { save: () => Promise<unknown> }) {
    const [isOpen, setOpen] = useState(false)
    const mutation = useMutation({ mutationFn: (_: z.input<typeof Task>) => save(), retry: false })
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          New
        </button>
        <FormDialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title="New task"
          schema={Task}
          mutation={mutation}
          submit="Create"
        >
          <TextField label="Title" name="title" />
        </FormDialog>
      </>
    )
  }

  it('closes after saving, and stays open with a refusal', async () => {
    let isRefused = true
    const save = () => (isRefused ? Promise.reject(refusal()) : Promise.resolve({}))
    const { user } = await renderScreen(<Screen save={save} />)
    await user.click(screen.getByRole('button', { name: 'New' }))
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Open Perris')
    await user.click(screen.getByRole('button', { name: 'Create' }))
    expect(await screen.findByText('This lead exists.')).toBeTruthy()
    isRefused = false
    await user.click(screen.getByRole('button', { name: 'Create' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks before discarding changes', async () => {
    const { user } = await renderScreen(<Screen save={async () => ({})} />)
    await user.click(screen.getByRole('button', { name: 'New' }))
    await user.type(await screen.findByRole('textbox', { name: 'Title' }), 'Open Perris')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(screen.getByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Open Perris')
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
