package main

import (
	"context"
	"time"

	"github.com/zitadel/zitadel-go/v3/pkg/client"
	filter "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/filter/v2"
	object "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/object/v2"
	org "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/org/v2"
	settings "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/settings/v2"
	user "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/user/v2"
	webkey "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/webkey/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/timestamppb"
)

var later = timestamppb.New(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))

func users(ctx context.Context, api *client.Client, organization string) {
	users := api.UserServiceV2()
	gigi := "gigi"
	human := call(ctx, users.CreateUser, &user.CreateUserRequest{
		OrganizationId: organization,
		Username:       &gigi,
		UserType: &user.CreateUserRequest_Human_{Human: &user.CreateUserRequest_Human{
			Profile:      &user.SetHumanProfile{GivenName: "Gigi", FamilyName: "Giraffe"},
			Email:        &user.SetHumanEmail{Email: "gigi@go.test", Verification: &user.SetHumanEmail_IsVerified{IsVerified: true}},
			PasswordType: &user.CreateUserRequest_Human_Password{Password: &user.Password{Password: "Long enough, 1 of them!"}},
		}},
	}, func(answer *user.CreateUserResponse) bool { return answer.GetCreationDate().IsValid() }).GetId()
	call(ctx, users.GetUserByID, &user.GetUserByIDRequest{UserId: human}, func(answer *user.GetUserByIDResponse) bool {
		return answer.GetUser().GetHuman().GetEmail().GetIsVerified() && answer.GetUser().GetState() == user.UserState_USER_STATE_ACTIVE
	})
	call(ctx, users.ListUsers, &user.ListUsersRequest{
		Query: &object.ListQuery{Limit: 5},
		Queries: []*user.SearchQuery{{Query: &user.SearchQuery_LoginNameQuery{LoginNameQuery: &user.LoginNameQuery{
			LoginName: "gigi", Method: object.TextQueryMethod_TEXT_QUERY_METHOD_STARTS_WITH,
		}}}, {Query: &user.SearchQuery_OrganizationIdQuery{OrganizationIdQuery: &user.OrganizationIdQuery{OrganizationId: organization}}}},
	}, func(answer *user.ListUsersResponse) bool { return answer.GetResult()[0].GetUserId() == human })
	call(ctx, users.UpdateUser, &user.UpdateUserRequest{UserId: human, Metadata: []*user.Metadata{{Key: "shoe", Value: []byte("44")}}},
		func(answer *user.UpdateUserResponse) bool { return answer.GetChangeDate().IsValid() })
	call(ctx, users.ListUserMetadata, &user.ListUserMetadataRequest{UserId: human}, func(answer *user.ListUserMetadataResponse) bool {
		return string(answer.GetMetadata()[0].GetValue()) == "44"
	})
	call(ctx, users.LockUser, &user.LockUserRequest{UserId: human},
		func(answer *user.LockUserResponse) bool { return answer.GetDetails().GetChangeDate().IsValid() })
	call(ctx, users.UnlockUser, &user.UnlockUserRequest{UserId: human},
		func(answer *user.UnlockUserResponse) bool { return answer.GetDetails().GetChangeDate().IsValid() })
	machines(ctx, api, organization)
	call(ctx, users.DeleteUser, &user.DeleteUserRequest{UserId: human},
		func(answer *user.DeleteUserResponse) bool { return answer.GetDetails() != nil })
	refuse(ctx, users.GetUserByID, &user.GetUserByIDRequest{UserId: human}, codes.NotFound)
}

func machines(ctx context.Context, api *client.Client, organization string) {
	users := api.UserServiceV2()
	id := call(ctx, users.CreateUser, &user.CreateUserRequest{
		OrganizationId: organization,
		UserType:       &user.CreateUserRequest_Machine_{Machine: &user.CreateUserRequest_Machine{Name: "Robot"}},
	}, func(answer *user.CreateUserResponse) bool { return answer.GetId() != "" }).GetId()
	call(ctx, users.AddSecret, &user.AddSecretRequest{UserId: id},
		func(answer *user.AddSecretResponse) bool { return answer.GetClientSecret() != "" })
	key := call(ctx, users.AddKey, &user.AddKeyRequest{UserId: id, ExpirationDate: later},
		func(answer *user.AddKeyResponse) bool { return len(answer.GetKeyContent()) > 0 }).GetKeyId()
	call(ctx, users.ListKeys, &user.ListKeysRequest{
		Filters: []*user.KeysSearchFilter{{Filter: &user.KeysSearchFilter_UserIdFilter{UserIdFilter: &filter.IDFilter{Id: id}}}},
	}, func(answer *user.ListKeysResponse) bool {
		return answer.GetResult()[0].GetId() == key && answer.GetResult()[0].GetExpirationDate().AsTime().Year() == 2100
	})
	call(ctx, users.RemoveKey, &user.RemoveKeyRequest{UserId: id, KeyId: key},
		func(answer *user.RemoveKeyResponse) bool { return answer.GetDeletionDate().IsValid() })
	pat := call(ctx, users.AddPersonalAccessToken, &user.AddPersonalAccessTokenRequest{UserId: id, ExpirationDate: later},
		func(answer *user.AddPersonalAccessTokenResponse) bool { return answer.GetToken() != "" })
	asMachine := client.BearerTokenCtx(ctx, pat.GetToken())
	refuse(asMachine, api.OrganizationServiceV2().AddOrganization, &org.AddOrganizationRequest{Name: "The robot's"}, codes.PermissionDenied)
	call(ctx, users.RemovePersonalAccessToken, &user.RemovePersonalAccessTokenRequest{UserId: id, TokenId: pat.GetTokenId()},
		func(answer *user.RemovePersonalAccessTokenResponse) bool { return answer.GetDeletionDate().IsValid() })
	refuse(asMachine, api.OrganizationServiceV2().ListOrganizations, &org.ListOrganizationsRequest{}, codes.Unauthenticated)
}

func settingsAndKeys(ctx context.Context, api *client.Client, organization string) {
	all := api.SettingsServiceV2()
	of := &object.RequestContext{ResourceOwner: &object.RequestContext_OrgId{OrgId: organization}}
	call(ctx, all.GetGeneralSettings, &settings.GetGeneralSettingsRequest{},
		func(answer *settings.GetGeneralSettingsResponse) bool { return answer.GetDefaultOrganizationId() != "" })
	call(ctx, all.GetLoginSettings, &settings.GetLoginSettingsRequest{Ctx: of}, func(answer *settings.GetLoginSettingsResponse) bool {
		return answer.GetSettings().GetPasswordCheckLifetime().IsValid() && answer.GetSettings().GetAllowLocalAuthentication()
	})
	call(ctx, all.GetLockoutSettings, &settings.GetLockoutSettingsRequest{Ctx: of},
		func(answer *settings.GetLockoutSettingsResponse) bool { return answer.GetSettings() != nil })

	keys := api.WebkeyServiceV2()
	id := call(ctx, keys.CreateWebKey, &webkey.CreateWebKeyRequest{Key: &webkey.CreateWebKeyRequest_Rsa{
		Rsa: &webkey.RSA{Bits: webkey.RSABits_RSA_BITS_2048, Hasher: webkey.RSAHasher_RSA_HASHER_SHA256},
	}}, func(answer *webkey.CreateWebKeyResponse) bool { return answer.GetCreationDate().IsValid() }).GetId()
	call(ctx, keys.ListWebKeys, &webkey.ListWebKeysRequest{},
		func(answer *webkey.ListWebKeysResponse) bool { return len(answer.GetWebKeys()) > 1 })
	call(ctx, keys.DeleteWebKey, &webkey.DeleteWebKeyRequest{Id: id},
		func(answer *webkey.DeleteWebKeyResponse) bool { return answer.GetDeletionDate().IsValid() })
}
