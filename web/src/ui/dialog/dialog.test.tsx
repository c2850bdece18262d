import { Button, Menu, Select } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { confirm } from './confirm.ts'
import { Dialog } from './dialog.tsx'

interface Props {
  closesOnEscape?: boolean
  closesOnOutside?: boolean
}

function Screen(props: Props) {
  const [lower, setLower] = useState(false)
  const [upper, setUpper] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setLower(true)}>
        Open
      </button>
      <Dialog isOpen={lower} onClose={() => setLower(false)} title="Lower" {...props}>
        <Select label="Zone" data={['Riverside', 'Corona']} />
        <button type="button" onClick={() => setUpper(true)}>
          More
        </button>
      </Dialog>
      <Dialog isOpen={upper} onClose={() => setUpper(false)} title="Upper">
        Words
      </Dialog>
    </>
  )
}

const dialog = (name: string) => screen.queryByRole('dialog', { name })
const gone = (name: string) => waitFor(() => expect(dialog(name)).toBeNull())
const overlays = () => [...document.querySelectorAll('.mantine-Modal-overlay')]

async function open(props: Props = {}) {
  const view = await renderScreen(<Screen {...props} />)
  await view.user.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole('dialog', { name: 'Lower' })
  return view
}

describe('a dialog', () => {
  it('closes with its button and restores focus', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await gone('Lower')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })))
  })

  it('restores focus when it is mounted open, with an autofocused field', async () => {
    function Once() {
      const [isThere, setThere] = useState(false)
      return (
        <>
          <button type="button" onClick={() => setThere(true)}>
            Rename
          </button>
          {isThere && (
            <Dialog isOpen onClose={() => setThere(false)} title="Name">
              <input aria-label="Name" autoFocus />
            </Dialog>
          )}
        </>
      )
    }
    const { user } = await renderScreen(<Once />)
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Robin{Escape}')
    await gone('Name')
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename' })))
  })

  it('moves focus to the page when the URL opened it', async () => {
    const Page = () => {
      const [isOpen, setOpen] = useState(true)
      return (
        <>
          <main id="main" tabIndex={-1} />
          <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="From the address" />
        </>
      )
    }
    const { user } = await renderScreen(<Page />)
    await screen.findByRole('dialog', { name: 'From the address' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.id).toBe('main'))
  })

  it('restores focus to the menu button it was opened from', async () => {
    function Rows() {
      const [isOpen, setOpen] = useState(false)
      return (
        <>
          <Menu>
            <Menu.Target>
              <Button>Actions</Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item onClick={() => setOpen(true)}>View</Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Details" />
        </>
      )
    }
    const { user } = await renderScreen(<Rows />)
    const actions = screen.getByRole('button', { name: 'Actions' })
    await user.click(actions)
    await user.click(await screen.findByRole('menuitem', { name: 'View' }))
    await screen.findByRole('dialog', { name: 'Details' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(actions))
  })

  it('closes with Escape and with an outside click', async () => {
    const { user } = await open()
    await user.keyboard('{Escape}')
    await gone('Lower')
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await screen.findByRole('dialog', { name: 'Lower' })
    const [outside] = overlays()
    if (outside) await user.click(outside)
    await gone('Lower')
  })

  it('stays open when both are turned off', async () => {
    const { user } = await open({ closesOnEscape: false, closesOnOutside: false })
    await user.keyboard('{Escape}')
    const [outside] = overlays()
    if (outside) await user.click(outside)
    expect(dialog('Lower')).toBeTruthy()
  })

  it('closes only when it is the top layer', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'More' }))
    await screen.findByRole('dialog', { name: 'Upper' })
    await user.keyboard('{Escape}')
    await gone('Upper')
    expect(dialog('Lower')).toBeTruthy()
    await user.keyboard('{Escape}')
    await gone('Lower')
  })

  it('leaves Escape to an open select inside it', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('combobox', { name: 'Zone' }))
    await screen.findByRole('option', { name: 'Corona' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('option', { name: 'Corona' })).toBeNull())
    expect(dialog('Lower')).toBeTruthy()
  })

  it('scrolls with the keyboard when it overflows and has nothing focusable', async () => {
    vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(900)
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'More' }))
    const bodyOf = async (name: string) =>
      (await screen.findByRole('dialog', { name })).querySelector('.mantine-Modal-body')?.getAttribute('tabindex')
    await waitFor(async () => expect(await bodyOf('Upper')).toBe('0'))
    await user.keyboard('{Escape}')
    await gone('Upper')
    expect(await bodyOf('Lower')).toBeNull()
    vi.restoreAllMocks()
  })
  it('keeps the focus inside', async () => {
    const { user } = await open()
    for (let press = 0; press < 6; press += 1) {
      await user.tab()
      expect(screen.getByRole('dialog', { name: 'Lower' }).contains(document.activeElement)).toBe(true)
    }
  })
})

describe('a confirmation', () => {
  const ask = async () => {
    const answered = vi.fn()
    const view = await renderScreen(<p>Page</p>)
    const pending = confirm({
      title: 'Delete this business?',
      body: 'Its blocks go with it.',
      action: 'Delete',
      isDestructive: true,
    })
    void pending.then(answered)
    await screen.findByRole('alertdialog', { name: 'Delete this business?' })
    return { ...view, pending, answered }
  }

  it('resolves to true with its action', async () => {
    const { user, pending } = await ask()
    expect(screen.getByText('Its blocks go with it.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await expect(pending).resolves.toBe(true)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  it('resolves to false with Cancel, which has focus, and with Escape', async () => {
    const { user, pending } = await ask()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Cancel'))
    await user.keyboard('{Escape}')
    await expect(pending).resolves.toBe(false)
  })
})
