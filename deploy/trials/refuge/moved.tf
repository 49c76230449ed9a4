# What was there before the move, as somebody has it who describes it with Terraform. Run by ../refuge.mjs.
terraform {
  required_providers {
    zitadel = { source = "zitadel/zitadel" }
  }
}

variable "port" {}
variable "key" {}
variable "org" {}
variable "project" {}
variable "app" {}
variable "client" {}

provider "zitadel" {
  domain           = "localhost"
  insecure         = true
  port             = var.port
  jwt_profile_file = var.key
}

import {
  to = zitadel_org.moved
  id = var.org
}
resource "zitadel_org" "moved" {
  name = "Organization 1"
}

import {
  to = zitadel_domain.moved
  id = "org-1.example:${var.org}"
}
resource "zitadel_domain" "moved" {
  org_id     = zitadel_org.moved.id
  name       = "org-1.example"
  is_primary = true
}

import {
  to = zitadel_project.moved
  id = "${var.project}:${var.org}"
}
resource "zitadel_project" "moved" {
  org_id                 = zitadel_org.moved.id
  name                   = "Project 1"
  project_role_assertion = true
}

import {
  to = zitadel_project_role.moved
  id = "${var.project}:dispatcher:${var.org}"
}
resource "zitadel_project_role" "moved" {
  org_id       = zitadel_org.moved.id
  project_id   = zitadel_project.moved.id
  role_key     = "dispatcher"
  display_name = "DISPATCHER"
  group        = "tours"
}

import {
  to = zitadel_application_oidc.moved
  id = "${var.app}:${var.project}:${var.org}:${var.client}"
}
resource "zitadel_application_oidc" "moved" {
  org_id                      = zitadel_org.moved.id
  project_id                  = zitadel_project.moved.id
  name                        = "Web"
  redirect_uris               = ["https://touren.example/callback"]
  post_logout_redirect_uris   = ["https://touren.example/"]
  response_types              = ["OIDC_RESPONSE_TYPE_CODE"]
  grant_types                 = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE", "OIDC_GRANT_TYPE_REFRESH_TOKEN"]
  app_type                    = "OIDC_APP_TYPE_WEB"
  auth_method_type            = "OIDC_AUTH_METHOD_TYPE_BASIC"
  access_token_type           = "OIDC_TOKEN_TYPE_JWT"
  access_token_role_assertion = true
}
