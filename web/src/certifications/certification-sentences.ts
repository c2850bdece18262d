import { createCertification, findHolders, type Holder } from '@limber/contract/certifications/certification.ts'
import { type CertificationType, listCertificationTypes } from '@limber/contract/certifications/type.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  IconArrowBackUp,
  IconCalendarEvent,
  IconCertificate,
  IconSchool,
  IconUser,
  IconWorld,
} from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem, Sentence } from '#platform/routing/verbs.ts'
import { act } from '#ui/feedback/act.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'

const holdersNamed = async (search: string, signal: AbortSignal) =>
  search === '' ? [] : (await send(findHolders, { query: { search } }, { signal })).holders

async function typesNamed(text: string, signal: AbortSignal): Promise<CertificationType[]> {
  const words = text.toLowerCase()
  const { types } = await send(listCertificationTypes, {}, { signal })
  return types
    .filter(({ isRetired, certificationName }) => !isRetired && certificationName.toLowerCase().includes(words))
    .slice(0, 8)
}

/** The whole sentence; the instructor is typed at its end. */
function issueSentence(holder: Holder, type: CertificationType): Sentence {
  const { certificationName, validMonths, courses } = type
  return {
    verb: 'Issue',
    parts: [{ slot: certificationName }, { word: 'to' }, { slot: holder.name }],
    last: { word: 'taught by', label: 'Instructor' },
    effects: () => [
      { icon: IconCertificate, label: 'Certification', value: `${certificationName}, issued today to ${holder.name}` },
      {
        icon: IconCalendarEvent,
        label: 'Valid for',
        value: validMonths === null ? 'It does not expire.' : pluralize(validMonths, 'month'),
      },
      ...(courses.length > 0
        ? [
            {
              icon: IconSchool,
              label: 'Needs',
              value: `${courses.map(({ courseName }) => courseName).join(', ')}. It is not issued before they are completed.`,
            },
          ]
        : []),
      { icon: IconWorld, label: 'Public page', value: 'Goes live at once.' },
      { icon: IconArrowBackUp, label: 'Undo', value: 'In the message, until its link is opened.' },
    ],
    action: 'Issue certification',
    form: hrefTo('/certifications', { view: 'create', user: holder.id, type: type.id }),
    run: (instructor) =>
      act(
        () =>
          send(createCertification, {
            body: { userId: holder.id, certificationTypeId: type.id, name: holder.name, instructor },
          }),
        {
          done: (made) =>
            toastUndo('Certification issued.', made, { detail: `${made.certificationName} for ${made.userName}` }),
          failed: 'Failed to save certification',
        },
      ),
  }
}

/** Users whose certification type is asked for next. */
export const findPeopleToIssue = async (text: string, signal: AbortSignal): Promise<PaletteItem[]> =>
  (await holdersNamed(text, signal)).map((holder) => ({
    id: `holder-${holder.id}`,
    title: holder.name,
    detail: holder.email,
    icon: IconUser,
    run: () => undefined,
    sentence: async () => ({
      verb: 'Issue to',
      parts: [{ slot: holder.name }],
      label: 'Certification',
      options: async (words, stop) =>
        (await typesNamed(words, stop)).map((type) => ({
          id: `type-${type.id}`,
          title: type.certificationName,
          icon: IconCertificate,
          run: () => undefined,
          sentence: async () => issueSentence(holder, type),
        })),
    }),
  }))

/** Types whose user is asked for next. */
export const findTypesToIssue = async (text: string, signal: AbortSignal): Promise<PaletteItem[]> =>
  (await typesNamed(text, signal)).map((type) => ({
    id: `type-${type.id}`,
    title: type.certificationName,
    detail: 'Certification',
    icon: IconCertificate,
    run: () => undefined,
    sentence: async () => ({
      verb: 'Issue',
      parts: [{ slot: type.certificationName }, { word: 'to' }],
      label: 'User',
      hint: 'Name or email',
      options: async (words, stop) =>
        (await holdersNamed(words, stop)).map((holder) => ({
          id: `holder-${holder.id}`,
          title: holder.name,
          detail: holder.email,
          icon: IconUser,
          run: () => undefined,
          sentence: async () => issueSentence(holder, type),
        })),
    }),
  }))
