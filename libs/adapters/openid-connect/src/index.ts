export { openIdentityProvider, type ProviderDescription, type ProviderSettings } from './identity-provider.ts';
