package main

import (
	"context"

	"github.com/zitadel/zitadel-go/v3/pkg/client"
	application "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/application/v2"
	filter "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/filter/v2"
	object "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/object/v2"
	org "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/org/v2"
	project "github.com/zitadel/zitadel-go/v3/pkg/client/zitadel/project/v2"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/durationpb"
)

func organizations(ctx context.Context, api *client.Client) (id, guest string) {
	orgs := api.OrganizationServiceV2()
	made := func(answer *org.AddOrganizationResponse) bool { return answer.GetDetails().GetCreationDate().IsValid() }
	id = call(ctx, orgs.AddOrganization, &org.AddOrganizationRequest{Name: "Go"}, made).GetOrganizationId()
	guest = call(ctx, orgs.AddOrganization, &org.AddOrganizationRequest{Name: "Go's guest"}, made).GetOrganizationId()
	refuse(ctx, orgs.AddOrganization, &org.AddOrganizationRequest{Name: "Go"}, codes.AlreadyExists)
	call(ctx, orgs.ListOrganizations, &org.ListOrganizationsRequest{
		Queries: []*org.SearchQuery{{Query: &org.SearchQuery_NameQuery{NameQuery: &org.OrganizationNameQuery{
			Name: "go", Method: object.TextQueryMethod_TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE,
		}}}},
		SortingColumn: org.OrganizationFieldName_ORGANIZATION_FIELD_NAME_NAME,
		Query:         &object.ListQuery{Limit: 1, Asc: true},
	}, func(answer *org.ListOrganizationsResponse) bool {
		return answer.GetDetails().GetTotalResult() == 2 && len(answer.GetResult()) == 1 && answer.GetResult()[0].GetId() == id
	})
	call(ctx, orgs.UpdateOrganization, &org.UpdateOrganizationRequest{OrganizationId: id, Name: "Gopher"},
		func(answer *org.UpdateOrganizationResponse) bool { return answer.GetChangeDate().IsValid() })
	call(ctx, orgs.SetOrganizationMetadata, &org.SetOrganizationMetadataRequest{
		OrganizationId: id, Metadata: []*org.Metadata{{Key: "plan", Value: []byte("gold")}},
	}, func(answer *org.SetOrganizationMetadataResponse) bool { return answer.GetSetDate().IsValid() })
	call(ctx, orgs.ListOrganizationMetadata, &org.ListOrganizationMetadataRequest{OrganizationId: id},
		func(answer *org.ListOrganizationMetadataResponse) bool {
			return string(answer.GetMetadata()[0].GetValue()) == "gold"
		})
	return id, guest
}

func projects(ctx context.Context, api *client.Client, organization, guest string) string {
	projects := api.ProjectServiceV2()
	id := call(ctx, projects.CreateProject, &project.CreateProjectRequest{OrganizationId: organization, Name: "Shop"},
		func(answer *project.CreateProjectResponse) bool { return answer.GetCreationDate().IsValid() }).GetProjectId()
	call(ctx, projects.GetProject, &project.GetProjectRequest{ProjectId: id}, func(answer *project.GetProjectResponse) bool {
		return answer.GetProject().GetState() == project.ProjectState_PROJECT_STATE_ACTIVE
	})
	yes := true
	call(ctx, projects.UpdateProject, &project.UpdateProjectRequest{ProjectId: id, ProjectAccessRequired: &yes},
		func(answer *project.UpdateProjectResponse) bool { return answer.GetChangeDate().IsValid() })
	call(ctx, projects.DeactivateProject, &project.DeactivateProjectRequest{ProjectId: id},
		func(answer *project.DeactivateProjectResponse) bool { return answer.GetChangeDate().IsValid() })
	call(ctx, projects.ActivateProject, &project.ActivateProjectRequest{ProjectId: id},
		func(answer *project.ActivateProjectResponse) bool { return answer.GetChangeDate().IsValid() })
	call(ctx, projects.ListProjects, &project.ListProjectsRequest{
		Pagination: &filter.PaginationRequest{Limit: 10},
		Filters: []*project.ProjectSearchFilter{{Filter: &project.ProjectSearchFilter_InProjectIdsFilter{
			InProjectIdsFilter: &filter.InIDsFilter{Ids: []string{id}},
		}}},
	}, func(answer *project.ListProjectsResponse) bool {
		return answer.GetPagination().GetTotalResult() == 1 && answer.GetProjects()[0].GetProjectAccessRequired()
	})
	call(ctx, projects.AddProjectRole, &project.AddProjectRoleRequest{ProjectId: id, RoleKey: "clerk", DisplayName: "Clerk"},
		func(answer *project.AddProjectRoleResponse) bool { return answer.GetCreationDate().IsValid() })
	call(ctx, projects.ListProjectRoles, &project.ListProjectRolesRequest{ProjectId: id},
		func(answer *project.ListProjectRolesResponse) bool {
			return answer.GetProjectRoles()[0].GetKey() == "clerk"
		})
	call(ctx, projects.CreateProjectGrant, &project.CreateProjectGrantRequest{
		ProjectId: id, GrantedOrganizationId: guest, RoleKeys: []string{"clerk"},
	}, func(answer *project.CreateProjectGrantResponse) bool { return answer.GetCreationDate().IsValid() })
	call(ctx, projects.ListProjectGrants, &project.ListProjectGrantsRequest{
		Filters: []*project.ProjectGrantSearchFilter{{Filter: &project.ProjectGrantSearchFilter_GrantedOrganizationIdFilter{
			GrantedOrganizationIdFilter: &filter.IDFilter{Id: guest},
		}}},
	}, func(answer *project.ListProjectGrantsResponse) bool {
		return answer.GetProjectGrants()[0].GetState() == project.ProjectGrantState_PROJECT_GRANT_STATE_ACTIVE
	})
	call(ctx, projects.DeleteProjectGrant, &project.DeleteProjectGrantRequest{ProjectId: id, GrantedOrganizationId: guest},
		func(answer *project.DeleteProjectGrantResponse) bool { return answer.GetDeletionDate().IsValid() })
	call(ctx, projects.RemoveProjectRole, &project.RemoveProjectRoleRequest{ProjectId: id, RoleKey: "clerk"},
		func(answer *project.RemoveProjectRoleResponse) bool { return answer.GetRemovalDate().IsValid() })
	return id
}

func applications(ctx context.Context, api *client.Client, project string) {
	applications := api.ApplicationServiceV2()
	web := call(ctx, applications.CreateApplication, &application.CreateApplicationRequest{
		ProjectId: project,
		Name:      "Web",
		ApplicationType: &application.CreateApplicationRequest_OidcConfiguration{
			OidcConfiguration: &application.CreateOIDCApplicationRequest{
				RedirectUris:  []string{"https://shop.test/callback"},
				ResponseTypes: []application.OIDCResponseType{application.OIDCResponseType_OIDC_RESPONSE_TYPE_CODE},
				GrantTypes:    []application.OIDCGrantType{application.OIDCGrantType_OIDC_GRANT_TYPE_AUTHORIZATION_CODE},
				ClockSkew:     durationpb.New(3e9),
			},
		},
	}, func(answer *application.CreateApplicationResponse) bool {
		return answer.GetOidcConfiguration().GetClientSecret() != ""
	})
	id := web.GetApplicationId()
	call(ctx, applications.GetApplication, &application.GetApplicationRequest{ApplicationId: id},
		func(answer *application.GetApplicationResponse) bool {
			configuration := answer.GetApplication().GetOidcConfiguration()
			return configuration.GetClientId() == web.GetOidcConfiguration().GetClientId() && configuration.GetClockSkew().GetSeconds() == 3
		})
	call(ctx, applications.UpdateApplication,
		&application.UpdateApplicationRequest{ApplicationId: id, ProjectId: project, Name: "Website"},
		func(answer *application.UpdateApplicationResponse) bool { return answer.GetChangeDate().IsValid() })
	call(ctx, applications.ListApplications, &application.ListApplicationsRequest{
		Filters: []*application.ApplicationSearchFilter{{Filter: &application.ApplicationSearchFilter_NameFilter{
			NameFilter: &application.ApplicationNameFilter{Name: "Website"},
		}}},
	}, func(answer *application.ListApplicationsResponse) bool {
		return answer.GetApplications()[0].GetProjectId() == project
	})
	call(ctx, applications.GenerateClientSecret, &application.GenerateClientSecretRequest{ApplicationId: id, ProjectId: project},
		func(answer *application.GenerateClientSecretResponse) bool { return answer.GetClientSecret() != "" })
	call(ctx, applications.DeactivateApplication, &application.DeactivateApplicationRequest{ApplicationId: id, ProjectId: project},
		func(answer *application.DeactivateApplicationResponse) bool {
			return answer.GetDeactivationDate().IsValid()
		})
	call(ctx, applications.ReactivateApplication, &application.ReactivateApplicationRequest{ApplicationId: id, ProjectId: project},
		func(answer *application.ReactivateApplicationResponse) bool {
			return answer.GetReactivationDate().IsValid()
		})
	call(ctx, applications.DeleteApplication, &application.DeleteApplicationRequest{ApplicationId: id, ProjectId: project},
		func(answer *application.DeleteApplicationResponse) bool { return answer.GetDeletionDate().IsValid() })
	refuse(ctx, applications.GetApplication, &application.GetApplicationRequest{ApplicationId: id}, codes.NotFound)
}

func remove(ctx context.Context, api *client.Client, organization, id string) {
	call(ctx, api.ProjectServiceV2().DeleteProject, &project.DeleteProjectRequest{ProjectId: id},
		func(answer *project.DeleteProjectResponse) bool { return answer.GetDeletionDate().IsValid() })
	call(ctx, api.OrganizationServiceV2().DeleteOrganization, &org.DeleteOrganizationRequest{OrganizationId: organization},
		func(answer *org.DeleteOrganizationResponse) bool { return answer.GetDeletionDate().IsValid() })
}
