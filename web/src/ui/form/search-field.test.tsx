import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '#platform/testing/testing.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { SearchField } from './search-field.tsx'

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search tickets' })

describe('the search field of a section', () => {
  it('is cleared with Escape and left with the next one, so that page shortcuts work again', async () => {
    const find = vi.fn()
    const { user } = await renderScreen(<SearchField label="Search tickets" placeholder="" value="" onFind={find} />)
    await user.type(field(), 'knee')
    await waitFor(() => expect(find).toHaveBeenLastCalledWith('knee'))
    await user.keyboard('{Escape}')
    expect(field().value).toBe('')
    expect(document.activeElement).toBe(field())
    await waitFor(() => expect(find).toHaveBeenLastCalledWith(''))
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(document.body)
  })

  it('keeps the surrounding layer open while there is text to clear', async () => {
    const close = vi.fn()
    const { user } = await renderScreen(
      <Dialog isOpen onClose={close} title="Addresses">
        <SearchField label="Search tickets" placeholder="" value="" onFind={() => undefined} />
      </Dialog>,
    )
    await screen.findByRole('dialog', { name: 'Addresses' })
    await user.type(field(), 'knee{Escape}')
    expect(close).not.toHaveBeenCalled()
    await user.keyboard('{Escape}')
    expect(close).toHaveBeenCalledOnce()
  })
})
