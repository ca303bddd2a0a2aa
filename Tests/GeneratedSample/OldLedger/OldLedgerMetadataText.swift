// odata-generate: OldLedger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The metadata that the classes were made from.
enum OldLedgerMetadataText {
    static let xml = """
<?xml version=\"1.0\" encoding=\"utf-8\"?>
<edmx:Edmx xmlns:edmx=\"http://schemas.microsoft.com/ado/2007/06/edmx\" xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\" xmlns:sap=\"http://www.sap.com/Protocols/SAPData\" Version=\"1.0\">
  <edmx:DataServices m:DataServiceVersion=\"2.0\">
    <Schema xmlns=\"http://schemas.microsoft.com/ado/2008/09/edm\" Namespace=\"Database\">
      <EntityType Name=\"Accounts\">
        <Key>
          <PropertyRef Name=\"Region\"/>
          <PropertyRef Name=\"Number\"/>
        </Key>
        <Property Name=\"Region\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Number\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Name\" Type=\"Edm.String\"/>
        <NavigationProperty Name=\"Entries\" Relationship=\"Database.Accounts_Entries\" FromRole=\"FromRole_Accounts_Entries\" ToRole=\"ToRole_Accounts_Entries\"/>
      </EntityType>
      <EntityType Name=\"Entries\">
        <Key>
          <PropertyRef Name=\"Region\"/>
          <PropertyRef Name=\"Number\"/>
          <PropertyRef Name=\"Line\"/>
        </Key>
        <Property Name=\"Region\" Type=\"Edm.String\" Nullable=\"false\"/>
        <Property Name=\"Number\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Line\" Type=\"Edm.Int64\" Nullable=\"false\"/>
        <Property Name=\"Amount\" Type=\"Edm.Decimal\" Precision=\"10\" Scale=\"2\"/>
        <NavigationProperty Name=\"Accounts\" Relationship=\"Database.Accounts_Entries\" FromRole=\"ToRole_Accounts_Entries\" ToRole=\"FromRole_Accounts_Entries\"/>
      </EntityType>
      <Association Name=\"Accounts_Entries\">
        <End Type=\"Database.Accounts\" Role=\"FromRole_Accounts_Entries\" Multiplicity=\"1\"/>
        <End Type=\"Database.Entries\" Role=\"ToRole_Accounts_Entries\" Multiplicity=\"*\"/>
        <ReferentialConstraint>
          <Principal Role=\"FromRole_Accounts_Entries\">
            <PropertyRef Name=\"Region\"/>
            <PropertyRef Name=\"Number\"/>
          </Principal>
          <Dependent Role=\"ToRole_Accounts_Entries\">
            <PropertyRef Name=\"Region\"/>
            <PropertyRef Name=\"Number\"/>
          </Dependent>
        </ReferentialConstraint>
      </Association>
      <EntityContainer Name=\"Container\" m:IsDefaultEntityContainer=\"true\">
        <EntitySet Name=\"Accounts\" EntityType=\"Database.Accounts\" sap:change-tracking=\"true\"/>
        <EntitySet Name=\"Entries\" EntityType=\"Database.Entries\" sap:change-tracking=\"true\"/>
        <AssociationSet Name=\"Accounts_Entries_Set\" Association=\"Database.Accounts_Entries\">
          <End Role=\"FromRole_Accounts_Entries\" EntitySet=\"Accounts\"/>
          <End Role=\"ToRole_Accounts_Entries\" EntitySet=\"Entries\"/>
        </AssociationSet>
      </EntityContainer>
    <Annotations xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Target=\"Database.Container\"><Annotation Term=\"Org.OData.Repeatability.V1.Supported\" Bool=\"true\"/></Annotations></Schema>
  </edmx:DataServices>
</edmx:Edmx>
"""
}
