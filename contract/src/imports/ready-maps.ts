import type { ColumnMap } from './import-fields.ts'
import type { ImportResource } from './import-kinds.ts'

/** Maps for the exports of other products, by name. All of them write dates as in the US. */
export const readyMaps: Readonly<Record<string, ColumnMap & { resource: ImportResource; label: string }>> = {
  'mindbody-clients': {
    resource: 'customers',
    label: 'Mindbody clients',
    dates: 'mdy',
    columns: {
      ClientID: 'external_id',
      FirstName: 'first_name',
      LastName: 'last_name',
      Email: 'email',
      MobilePhone: 'phone',
      CreationDate: 'joined_at',
      AddressLine1: 'address.line',
      City: 'address.city',
      State: 'address.state',
      PostalCode: 'address.postal_code',
      LiabilityRelease: 'waiver_signed_at',
    },
  },
  'mindbody-appointments': {
    resource: 'bookings',
    label: 'Mindbody appointments',
    dates: 'mdy',
    columns: {
      AppointmentID: 'external_id',
      ClientID: 'customer',
      StaffID: 'stretcher',
      StartDateTime: 'starts_at',
      EndDateTime: 'ends_at',
      Status: 'status',
      Price: 'price',
    },
  },
  'hubspot-contacts': {
    resource: 'leads',
    label: 'HubSpot contacts',
    dates: 'mdy',
    columns: {
      'Record ID': 'external_id',
      'First Name': 'first_name',
      'Last Name': 'last_name',
      Email: 'email',
      'Phone Number': 'phone',
      'Last Modified Date': 'updated_at',
    },
  },
  'mailchimp-audience': {
    resource: 'leads',
    label: 'Mailchimp audience',
    dates: 'mdy',
    columns: {
      'Email Address': 'email',
      'First Name': 'first_name',
      'Last Name': 'last_name',
      'Phone Number': 'phone',
      NOTES: 'note',
    },
  },
  'zendesk-tickets': {
    resource: 'tickets',
    label: 'Zendesk tickets',
    dates: 'mdy',
    columns: {
      Id: 'external_id',
      'Requester email': 'customer_email',
      Subject: 'subject',
      Status: 'status',
      Priority: 'priority',
      'Created at': 'created_at',
      Description: 'message.content',
    },
  },
  'gusto-payroll': {
    resource: 'payroll/history',
    label: 'Gusto payroll history',
    dates: 'mdy',
    columns: {
      'Work Email': 'worker_email',
      'Gross Earnings': 'amount',
      'Employee Taxes': 'withheld',
      'Employer Taxes': 'employer_tax',
      'Pay Period End': 'work_date',
      'Check Date': 'pay_date',
    },
  },
}
